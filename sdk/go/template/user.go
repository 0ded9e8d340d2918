// {{name}}: what this function returns becomes claims of the token.
package main

import (
	"log/slog"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/claims"
)

func init() { claims.Plugin(getCustomJwtClaims) }

func getCustomJwtClaims(request plugin.ClaimsRequest) (plugin.Claims, error) {
	prefix := request.EnvironmentVariables["PREFIX"]

	// Tokens of applications themselves have no user.
	user := request.Context.User
	if user == nil {
		return plugin.Claims{}, nil
	}

	slog.Info("claims", "for", user.ID)
	name := user.ID
	switch {
	case user.Name != nil:
		name = *user.Name
	case user.Username != nil:
		name = *user.Username
	}
	return plugin.Claims{prefix + "display_name": name}, nil
}

func main() {}
