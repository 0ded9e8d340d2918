// {{name}}: asks another server what plan a user has.
package main

import (
	"net/url"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/claims"
)

func init() { claims.Plugin(getCustomJwtClaims) }

func getCustomJwtClaims(request plugin.ClaimsRequest) (plugin.Claims, error) {
	user := request.Context.User
	if user == nil {
		return plugin.Claims{}, nil
	}
	answer, err := claims.Send(claims.Request{
		URL:     "https://plans.example.com/plan?user=" + url.QueryEscape(user.ID),
		Headers: map[string]string{"authorization": "Bearer " + request.EnvironmentVariables["API_KEY"]},
	})
	if err != nil {
		return nil, err
	}
	if answer.Status != 200 {
		return plugin.Claims{}, nil
	}
	var told struct {
		Plan string `json:"plan"`
	}
	if err := answer.JSON(&told); err != nil {
		return nil, err
	}
	return plugin.Claims{"plan": told.Plan}, nil
}

func main() {}
