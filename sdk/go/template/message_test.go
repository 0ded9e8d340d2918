package main

import (
	"encoding/json"
	"strings"
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

func outgoing(channel, text string) plugin.OutgoingMessage {
	code := "123456"
	return plugin.OutgoingMessage{
		Channel: channel, Recipient: "+16502530000", Code: &code, Content: plugin.MessageContent{Text: &text},
		EnvironmentVariables: map[string]string{"API_KEY": "correct-horse"},
	}
}

func TestAnyTextIsSentAsItIs(t *testing.T) {
	asked := plugintest.Open(t, ".")
	for _, text := range []string{"Your code: 123456", "Ünïcode \"quoted\" 🧮", strings.Repeat("x", 1000)} {
		answer := asked.Ask(outgoing("Sms", text))
		var body map[string]string
		if answer.Body == nil || json.Unmarshal([]byte(*answer.Body), &body) != nil || body["text"] != text {
			t.Errorf("%+v", answer)
		}
	}
}

func TestTheKeyIsInTheHeaderAlone(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(outgoing("Sms", "Hello"))
	if answer.Headers["authorization"] != "Bearer correct-horse" || strings.Contains(answer.URL, "correct-horse") {
		t.Errorf("%+v", answer)
	}
}

func TestEmailsAreNotForThisProvider(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(outgoing("Email", "Hello"))
	if answer.Denied != "This provider sends text messages only." {
		t.Errorf("%+v", answer)
	}
}
