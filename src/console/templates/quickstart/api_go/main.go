// Checks the access token of each request: signature, issuer, audience, type, expiry, then scope and claims.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	_ "github.com/joho/godotenv/autoload"
)

type claims map[string]any

type handler func(w http.ResponseWriter, token claims)

func main() {
	// Keys are cached, and fetched again when a token names an unknown one.
	keys, err := keyfunc.NewDefaultCtx(context.Background(), []string{os.Getenv("JWKS_URI")})
	if err != nil {
		log.Fatal(err)
	}
	parser := jwt.NewParser(
		jwt.WithIssuer(os.Getenv("ISSUER")),
		jwt.WithAudience(os.Getenv("AUDIENCE")),
		jwt.WithExpirationRequired(),
		jwt.WithValidMethods([]string{"ES256", "ES384", "EdDSA", "RS256"}),
	)

	// Every route needs a valid token.
	authenticate := func(next handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if !strings.EqualFold(scheme, "Bearer") {
				refuse(w, http.StatusUnauthorized, "", "There is no token.")
				return
			}
			token, err := parser.Parse(value, keys.Keyfunc)
			if err != nil {
				refuse(w, http.StatusUnauthorized, "invalid_token", "The token is not valid.")
				log.Print(err)
				return
			}
			// ID tokens have another type: they say who signed in, and allow nothing.
			if kind, _ := token.Header["typ"].(string); !strings.EqualFold(kind, "at+jwt") {
				refuse(w, http.StatusUnauthorized, "invalid_token", "This is not an access token.")
				return
			}
			next(w, claims(token.Claims.(jwt.MapClaims)))
		}
	}

	// Any valid token.
	http.HandleFunc("GET /{$}", authenticate(func(w http.ResponseWriter, token claims) {
		answer(w, token)
	}))
	// A token with the scope.
	http.HandleFunc("GET /scoped", authenticate(requireScope(os.Getenv("SCOPE"), func(w http.ResponseWriter, token claims) {
		answer(w, claims{"subject": token["sub"]})
	})))
	// A token with a claim that a plugin added.
	http.HandleFunc("GET /gold", authenticate(func(w http.ResponseWriter, token claims) {
		if token["plan"] != "gold" {
			refuse(w, http.StatusForbidden, "insufficient_scope", "This needs the plan gold.")
			return
		}
		answer(w, claims{"plan": token["plan"]})
	}))
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}

// A scope is a whole word of the claim.
func requireScope(scope string, next handler) handler {
	return func(w http.ResponseWriter, token claims) {
		granted, _ := token["scope"].(string)
		if scope != "" && !slices.Contains(strings.Fields(granted), scope) {
			refuse(w, http.StatusForbidden, "insufficient_scope", "This needs the scope "+scope+".")
			return
		}
		next(w, token)
	}
}

func answer(w http.ResponseWriter, body claims) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Print(err)
	}
}

func refuse(w http.ResponseWriter, status int, code, description string) {
	challenge := "Bearer"
	if code != "" {
		challenge = fmt.Sprintf("Bearer error=%q, error_description=%q", code, description)
	}
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, description, status)
}
