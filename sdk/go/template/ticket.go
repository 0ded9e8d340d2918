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

	// What a backend said about an impersonation; of other tokens there is nothing to say.
	grant := request.Context.Grant
	if grant == nil || grant.SubjectTokenContext == nil {
		return plugin.Claims{}, nil
	}
	ticket, named := grant.SubjectTokenContext["ticketId"]
	if !named {
		return nil, claims.Denied("Name the ticket.")
	}

	if user := request.Context.User; user != nil && user.Username != nil {
		slog.Info("acting", "for", *user.Username)
	}
	return plugin.Claims{prefix + "ticket_id": ticket}, nil
}

func main() {}
