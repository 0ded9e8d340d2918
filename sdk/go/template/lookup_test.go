package main

import (
	"strings"
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

var asked = plugin.ClaimsRequest{
	Context:              plugin.Context{User: &plugin.User{ID: "u1"}},
	EnvironmentVariables: map[string]string{"API_KEY": "k"},
}

const plans = "https://plans.example.com/plan?user=u1"

func TestEveryPlanBecomesTheClaim(t *testing.T) {
	lookup := plugintest.Open(t, ".")
	for _, plan := range []string{"free", "gold"} {
		answer := lookup.Ask(asked, plugintest.HTTP{URL: plans, Body: map[string]string{"plan": plan}})
		if answer.Claims["plan"] != plan {
			t.Errorf("%s: %+v", plan, answer)
		}
	}
}

func TestAServerThatHasABadDayCostsTheClaimAlone(t *testing.T) {
	lookup := plugintest.Open(t, ".")
	for _, status := range []int{404, 500} {
		answer := lookup.Ask(asked, plugintest.HTTP{URL: plans, Status: status})
		if answer.Outcome != "ok" || len(answer.Claims) != 0 {
			t.Errorf("%d: %+v", status, answer)
		}
	}
}

func TestWhenNobodyAnswersItFails(t *testing.T) {
	answer := plugintest.Open(t, ".").Ask(asked)
	if !strings.Contains(answer.Failed, "does not say what is answered") {
		t.Errorf("%+v", answer)
	}
}
