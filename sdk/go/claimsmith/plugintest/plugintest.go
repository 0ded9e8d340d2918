// Package plugintest asks a plugin what a server asks it, on the server's own runtime; for go test.
//
//	ticket := plugintest.Open(t, ".")
//	answer := ticket.Ask(plugin.ClaimsRequest{Context: plugin.Context{User: &plugin.User{ID: "u1"}}})
//
// Behind it is `claimsmith plugin run PATH --lines`, with the claimsmith of the PATH or the one that CLAIMSMITH_BIN names.
package plugintest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"claimsmith.dev/plugin"
)

// Plugin is a plugin that is loaded. It may be asked from several goroutines, and answers one after the other.
type Plugin struct {
	t       testing.TB
	path    string
	lock    sync.Mutex
	command *exec.Cmd
	asks    io.WriteCloser
	answers *bufio.Reader
	stderr  bytes.Buffer
}

// Given is what stands beside the input of a golden case: an HTTP or a Cached.
type Given interface{ among(*question) }

// question is a golden case without its expected answer.
type question struct {
	Input any      `json:"input"`
	HTTP  []HTTP   `json:"http"`
	Cache []Cached `json:"cache"`
}

// HTTP is what another server answers, as in the `http` of a golden case.
type HTTP struct {
	URL string `json:"url"`
	// Method is GET where it is empty.
	Method string `json:"method,omitempty"`
	// Status is 200 where it is 0.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Body is sent as it is where it is a string, and otherwise as JSON.
	Body any `json:"body,omitempty"`
}

// Cached is what the plugin finds in its cache, as in the `cache` of a golden case.
type Cached struct {
	// Owner is user, application or everybody.
	Owner string `json:"owner"`
	Key   string `json:"key"`
	Value any    `json:"value"`
}

func (http HTTP) among(asked *question) { asked.HTTP = append(asked.HTTP, http) }

func (cached Cached) among(asked *question) { asked.Cache = append(asked.Cache, cached) }

// Log is a line that the plugin wrote.
type Log struct {
	Level   string `json:"level"`
	Message string `json:"message"`
}

// Answer is everything that came of a question.
type Answer struct {
	// Outcome is ok, denied, failed, timed_out, …
	Outcome string         `json:"outcome"`
	Claims  map[string]any `json:"claims"`
	// Denied is what the application is told, if the token was denied.
	Denied string `json:"-"`
	// Failed is why there is no answer, if there is none.
	Failed string `json:"-"`
	// Dropped are reserved claims that it tried to set.
	Dropped []string `json:"dropped"`
	Logs    []Log    `json:"logs"`
	// Instructions are the same for the same question: here even random bytes are, by which Go orders its maps.
	Instructions uint64  `json:"instructions"`
	DurationMs   float64 `json:"durationMs"`
	// PeakMemory is in bytes.
	PeakMemory uint64 `json:"peakMemory"`

	// Method and URL are those of a message plugin's request.
	Method string `json:"method"`
	URL    string `json:"url"`
	// Body is a message plugin's or a webhook transform's; nil where there is none, or where it stays as it is.
	Body    *string           `json:"body"`
	Headers map[string]string `json:"headers"`
	// Path is a webhook transform's.
	Path *string `json:"path"`
	// DropReason is why the delivery is not sent.
	DropReason string `json:"dropReason"`
}

// Open loads the plugin of a folder or a file until the test is over, and builds it before where that is needed.
func Open(t testing.TB, path string) *Plugin {
	t.Helper()
	remember(path)
	binary := cmp.Or(os.Getenv("CLAIMSMITH_BIN"), "claimsmith")
	opened := &Plugin{t: t, path: path, command: exec.Command(binary, "plugin", "run", path, "--lines")}
	opened.command.Stderr = &opened.stderr
	asks, err := opened.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := opened.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	opened.asks, opened.answers = asks, bufio.NewReader(answers)
	if err := opened.command.Start(); err != nil {
		t.Fatalf("%s does not start (%v): put it on the PATH, or name it in CLAIMSMITH_BIN", binary, err)
	}
	t.Cleanup(opened.close)
	// This is no question, and is refused as soon as the plugin is loaded.
	if _, err := opened.send([]byte("null")); err != nil {
		t.Fatal(err)
	}
	return opened
}

// Ask asks it: a plugin.ClaimsRequest, a plugin.Delivery, a plugin.OutgoingMessage, or whatever is the input of a golden
// case as JSON. The test is over when nobody answers.
func (opened *Plugin) Ask(input any, given ...Given) Answer {
	opened.t.Helper()
	asked := question{Input: written(input), HTTP: []HTTP{}, Cache: []Cached{}}
	for _, one := range given {
		one.among(&asked)
	}
	text, err := json.Marshal(asked)
	if err != nil {
		opened.t.Fatal(err)
	}
	line, err := opened.send(text)
	if err != nil {
		opened.t.Fatal(err)
	}
	told := struct {
		Answer
		Message string `json:"message"`
		Error   string `json:"error"`
	}{}
	if err := json.Unmarshal(line, &told); err != nil {
		opened.t.Fatalf("%s: %v: %s", opened.path, err, line)
	}
	if told.Error != "" {
		opened.t.Fatalf("%s: %s", opened.path, told.Error)
	}
	switch told.Outcome {
	case "ok":
	case "denied":
		told.Denied = told.Message
	default:
		told.Failed = told.Message
	}
	return told.Answer
}

// written is an input as golden cases write it.
func written(input any) any {
	switch asked := input.(type) {
	case plugin.ClaimsRequest:
		return map[string]any{
			"token": asked.Token, "context": asked.Context, "environmentVariables": variables(asked.EnvironmentVariables),
		}
	case plugin.Delivery:
		delivery := map[string]any{
			"event": asked.Event, "environmentVariables": variables(asked.EnvironmentVariables),
		}
		if asked.DeliveryID != "" {
			delivery["id"] = asked.DeliveryID
		}
		if asked.Hook != (plugin.Hook{}) {
			delivery["hook"] = asked.Hook
		}
		return delivery
	case plugin.OutgoingMessage:
		return map[string]any{
			"message": message(asked), "environmentVariables": variables(asked.EnvironmentVariables),
		}
	default:
		return input
	}
}

// message is a message as golden cases write it: what is left out is theirs to say.
func message(asked plugin.OutgoingMessage) map[string]any {
	written := map[string]any{"content": asked.Content, "context": asked.Context}
	for name, text := range map[string]string{
		"id": asked.ID, "channel": asked.Channel, "event": asked.Event, "recipient": asked.Recipient,
		"language": asked.Language,
	} {
		if text != "" {
			written[name] = text
		}
	}
	for name, text := range map[string]*string{"code": asked.Code, "link": asked.Link} {
		if text != nil {
			written[name] = *text
		}
	}
	return written
}

// variables are an object also where there are none.
func variables(named map[string]string) map[string]string {
	if named == nil {
		return map[string]string{}
	}
	return named
}

func (opened *Plugin) send(question []byte) ([]byte, error) {
	opened.lock.Lock()
	defer opened.lock.Unlock()
	_, err := opened.asks.Write(append(question, '\n'))
	if err == nil {
		var line []byte
		if line, err = opened.answers.ReadBytes('\n'); err == nil {
			return line, nil
		}
	}
	// What it wrote is known once it is over.
	ended := opened.command.Wait()
	told := fmt.Sprintf("%s: claimsmith ended (%v)\n%s", opened.path, ended, &opened.stderr)
	return nil, errors.New(strings.TrimSpace(told))
}

// close ends it: at the end of its input it has nothing more to do.
func (opened *Plugin) close() {
	opened.lock.Lock()
	defer opened.lock.Unlock()
	// It may have ended before.
	_ = opened.asks.Close()
	_ = opened.command.Wait()
}

// remember lists the plugin's folder, because go test repeats a result until something changes that the test has read:
// this way that is the settings, too.
func remember(path string) {
	if meta, err := os.Stat(path); err == nil && !meta.IsDir() {
		path = filepath.Dir(path)
	}
	_, _ = os.ReadDir(path)
}
