// Package message makes a function a message plugin.
package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/abi"
)

// Denied is an error after which the message is not sent, now or later.
type Denied string

func (denied Denied) Error() string { return string(denied) }

// Function composes the request that sends one message. After any error but Denied it is asked again, as long as the code
// or the link works.
type Function func(plugin.OutgoingMessage) (plugin.MessageRequest, error)

var function Function

// Plugin makes the function the plugin of this program; to be called from init.
func Plugin(f Function) { function = f }

// message is the record outgoing-message.
type message struct {
	id, channel, event, recipient, language abi.Text
	code, link                              abi.Option
	content, context                        abi.Text
	environment                             abi.List
}

// result is a result<message-request, failure>.
type result struct {
	isError uint8
	_       [3]byte
	// The method; or the case of a failure, and the address of its text.
	method abi.Text
	// The URL; or the size of the text of a failure.
	url     abi.Text
	headers abi.List
	body    abi.Option
}

// failure is what lies in the place of a request.
type failure struct {
	which uint8
	_     [3]byte
	text  abi.Text
}

//go:wasmexport compose
func compose(asked unsafe.Pointer) unsafe.Pointer {
	request, err := answer((*message)(asked))
	answered := &result{}
	failed := (*failure)(unsafe.Pointer(&answered.method))
	var denied Denied
	switch {
	case err == nil:
		method := "POST"
		if request.Method != nil {
			method = *request.Method
		}
		answered.method, answered.url = abi.Of(method), abi.Of(request.URL)
		answered.headers, answered.body = abi.ListOf(request.Headers), written(request.Body)
	case errors.As(err, &denied):
		answered.isError = 1
		failed.text = abi.Of(string(denied))
	default:
		answered.isError, failed.which = 1, 1
		failed.text = abi.Of(err.Error())
	}
	return unsafe.Pointer(answered)
}

func written(body any) abi.Option {
	text, _ := body.(string)
	if body == nil {
		return abi.OptionOf(nil)
	}
	return abi.OptionOf(&text)
}

func answer(asked *message) (request plugin.MessageRequest, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	if function == nil {
		return request, errors.New("no function was given to message.Plugin")
	}
	outgoing, err := asked.read()
	if err != nil {
		return request, err
	}
	if request, err = function(outgoing); err != nil {
		return request, err
	}
	if _, isText := request.Body.(string); isText || request.Body == nil {
		return request, nil
	}
	text, err := json.Marshal(request.Body)
	request.Body, request.Headers = string(text), withType(request.Headers)
	return request, err
}

// withType are the headers of a JSON body.
func withType(headers map[string]string) map[string]string {
	typed := map[string]string{"content-type": "application/json"}
	for name, value := range headers {
		if strings.EqualFold(name, "content-type") {
			return headers
		}
		typed[name] = value
	}
	return typed
}

func (asked *message) read() (read plugin.OutgoingMessage, err error) {
	read.ID, read.Channel, read.Event = asked.id.String(), asked.channel.String(), asked.event.String()
	read.Recipient, read.Language = asked.recipient.String(), asked.language.String()
	if code, some := asked.code.Get(); some {
		read.Code = &code
	}
	if link, some := asked.link.Get(); some {
		read.Link = &link
	}
	read.EnvironmentVariables = asked.environment.Map()
	if err = json.Unmarshal([]byte(asked.content.String()), &read.Content); err != nil {
		return read, err
	}
	return read, json.Unmarshal([]byte(asked.context.String()), &read.Context)
}
