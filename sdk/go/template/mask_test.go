package main

import (
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

func created(data map[string]any) plugin.Delivery {
	return plugin.Delivery{Event: plugin.Event{Event: "User.Created", Data: data}}
}

func TestReceiversAreToldTheID(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(created(map[string]any{"id": "u2", "username": "ada"}))
	if answer.Body == nil || *answer.Body != `{"data":{"id":"u2"},"event":"User.Created"}` {
		t.Errorf("%+v", answer)
	}
	if answer.Path == nil || *answer.Path != "users" || answer.Headers["x-environment"] != "live" {
		t.Errorf("%+v", answer)
	}
}

func TestTheRobotIsDropped(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(created(map[string]any{"username": "test-robot"}))
	if answer.DropReason != "the test robot is nobody's customer" {
		t.Errorf("%+v", answer)
	}
}
