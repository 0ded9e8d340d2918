package main

import (
	"testing"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/plugintest"
)

var asked = plugin.ClaimsRequest{Context: plugin.Context{User: &plugin.User{ID: "u1"}}}

const plans = "https://plans.example.com/plan?user=u1"

func TestEveryPlanBecomesTheClaim(t *testing.T) {
	cached := plugintest.Open(t, ".")
	for _, plan := range []string{"free", "gold"} {
		answer := cached.Ask(asked, plugintest.HTTP{URL: plans, Body: map[string]string{"plan": plan}})
		if answer.Claims["plan"] != plan {
			t.Errorf("%s: %+v", plan, answer)
		}
	}
}

func TestAnAnswerThatWasKeptIsNotAskedForAgain(t *testing.T) {
	cached := plugintest.Open(t, ".")
	for _, plan := range []string{"free", "gold"} {
		answer := cached.Ask(asked, plugintest.Cached{Owner: "user", Key: "plan", Value: plan})
		if answer.Claims["plan"] != plan {
			t.Errorf("%s: %+v", plan, answer)
		}
	}
}

func TestAServerThatHasABadDayCostsTheClaimAlone(t *testing.T) {
	cached := plugintest.Open(t, ".")
	for _, status := range []int{404, 500} {
		answer := cached.Ask(asked, plugintest.HTTP{URL: plans, Status: status})
		if answer.Outcome != "ok" || len(answer.Claims) != 0 {
			t.Errorf("%d: %+v", status, answer)
		}
	}
}
