package main

import (
	"strings"
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

func of(name *string) plugin.ClaimsRequest {
	return plugin.ClaimsRequest{Context: plugin.Context{User: &plugin.User{ID: "u1", Name: name}}}
}

func TestAnyNameBecomesTheClaim(t *testing.T) {
	user := plugintest.Open(t, ".")
	for _, name := range []string{"Casey Jones", "Ünïcode", strings.Repeat("x", 1000)} {
		answer := user.Ask(of(&name))
		if len(answer.Claims) != 1 || answer.Claims["display_name"] != name {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestWithoutANameAndAUsernameItIsTheID(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(of(nil))
	if len(answer.Claims) != 1 || answer.Claims["display_name"] != "u1" {
		t.Errorf("%+v", answer)
	}
}

func TestTheLogNamesTheUserAndItTakesFewInstructions(t *testing.T) {
	name := "Casey Jones"
	answer := plugintest.Open(t, ".").Ask(of(&name))
	if len(answer.Logs) != 1 || answer.Logs[0] != (plugintest.Log{Level: "info", Message: "claims for=u1"}) {
		t.Errorf("%+v", answer.Logs)
	}
	if answer.Instructions > 10_000_000 {
		t.Errorf("%d instructions", answer.Instructions)
	}
}
