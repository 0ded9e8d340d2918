package main

import (
	"strings"
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

func acting(subjectTokenContext map[string]any) plugin.ClaimsRequest {
	name := "casey"
	return plugin.ClaimsRequest{Context: plugin.Context{
		Grant: &plugin.Grant{
			Type:                "urn:ietf:params:oauth:grant-type:token-exchange",
			SubjectTokenContext: subjectTokenContext,
		},
		User: &plugin.User{ID: "u1", Username: &name},
	}}
}

func TestAnyTicketBecomesTheClaim(t *testing.T) {
	ticket := plugintest.Open(t, ".")
	for _, id := range []string{"T-1", "Ünïcode", strings.Repeat("x", 1000)} {
		answer := ticket.Ask(acting(map[string]any{"ticketId": id}))
		if len(answer.Claims) != 1 || answer.Claims["ticket_id"] != id {
			t.Errorf("%s: %+v", id, answer)
		}
	}
}

func TestWithoutATicketThereIsNoToken(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(acting(map[string]any{"reason": "curiosity"}))
	if answer.Denied != "Name the ticket." || answer.Claims != nil {
		t.Errorf("%+v", answer)
	}
}

func TestTheLogSaysForWhomAndItTakesFewInstructions(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(acting(map[string]any{"ticketId": "T-1"}))
	if len(answer.Logs) != 1 || answer.Logs[0] != (plugintest.Log{Level: "info", Message: "acting for=casey"}) {
		t.Errorf("%+v", answer.Logs)
	}
	if answer.Instructions > 10_000_000 {
		t.Errorf("%d instructions", answer.Instructions)
	}
}
