// Signs users in with OpenID Connect, and calls the API with their access token.
package main

import (
	"context"
	"crypto/rand"
	"html/template"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	_ "github.com/joho/godotenv/autoload"
	"golang.org/x/oauth2"
)

// What the server remembers of a browser.
type session struct {
	state, nonce, verifier     string
	name, idToken, accessToken string
}

// Sessions end when the server restarts. In production, use a database or Redis.
var (
	mutex    sync.Mutex
	sessions = map[string]*session{}
)

var page = template.Must(template.New("page").Parse(`<!doctype html><html lang="en"><title>Go</title><body>
{{if .Name}}<p>Hello {{.Name}}. <a href="/sign-out">Sign out</a></p><pre>{{.Answer}}</pre>
{{else}}<p><a href="/sign-in">Sign in</a></p>{{end}}`))

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	var metadata struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&metadata); err != nil {
		log.Fatal(err)
	}
	redirectURI, err := url.Parse(os.Getenv("REDIRECT_URI"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  redirectURI.String(),
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{os.Getenv("SCOPE")},
	}
	config.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	// The access token is issued for this API.
	var target []oauth2.AuthCodeOption
	if resource := os.Getenv("RESOURCE"); resource != "" {
		target = append(target, oauth2.SetAuthURLParam("resource", resource))
	}

	http.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		pending := &session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		begin(w, pending, redirectURI.Scheme == "https")
		options := append([]oauth2.AuthCodeOption{oidc.Nonce(pending.nonce), oauth2.S256ChallengeOption(pending.verifier)}, target...)
		http.Redirect(w, r, config.AuthCodeURL(pending.state, options...), http.StatusFound)
	})

	http.HandleFunc("GET "+redirectURI.Path, func(w http.ResponseWriter, r *http.Request) {
		pending, query := end(r), r.URL.Query()
		if pending == nil || pending.state == "" || pending.state != query.Get("state") {
			http.Error(w, "No sign-in was started in this browser.", http.StatusBadRequest)
			return
		}
		if query.Has("error") {
			http.Error(w, "Not signed in: "+query.Get("error"), http.StatusForbidden)
			return
		}
		options := append([]oauth2.AuthCodeOption{oauth2.VerifierOption(pending.verifier)}, target...)
		token, err := config.Exchange(r.Context(), query.Get("code"), options...)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != pending.nonce {
			http.Error(w, "The ID token is not valid.", http.StatusBadGateway)
			return
		}
		user := struct{ Name, Username string }{}
		if err := idToken.Claims(&user); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if user.Name == "" {
			user.Name = user.Username
		}
		if user.Name == "" {
			user.Name = idToken.Subject
		}
		begin(w, &session{name: user.Name, idToken: raw, accessToken: token.AccessToken}, redirectURI.Scheme == "https")
		http.Redirect(w, r, "/", http.StatusFound)
	})

	http.HandleFunc("GET /sign-out", func(w http.ResponseWriter, r *http.Request) {
		query := url.Values{"post_logout_redirect_uri": {os.Getenv("POST_LOGOUT_URI")}, "client_id": {config.ClientID}}
		if known := end(r); known != nil && known.idToken != "" {
			query.Set("id_token_hint", known.idToken)
		}
		http.Redirect(w, r, metadata.EndSession+"?"+query.Encode(), http.StatusFound)
	})

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		shown := struct{ Name, Answer string }{}
		if known := find(r); known != nil && known.accessToken != "" {
			shown.Name, shown.Answer = known.name, callAPI(r.Context(), known.accessToken)
		}
		if err := page.Execute(w, shown); err != nil {
			log.Print(err)
		}
	})

	port := redirectURI.Port()
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe(redirectURI.Hostname()+":"+port, nil))
}

func callAPI(ctx context.Context, accessToken string) string {
	address := os.Getenv("API_URL")
	if address == "" {
		return "No API is configured."
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Authorization", "Bearer "+accessToken)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "The API does not answer at " + address + "."
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	return "The API answered " + answer.Status + ": " + string(body)
}

// A new session with a new id.
func begin(w http.ResponseWriter, started *session, isSecure bool) {
	id := rand.Text()
	mutex.Lock()
	defer mutex.Unlock()
	sessions[id] = started
	http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true, Secure: isSecure, SameSite: http.SameSiteLaxMode})
}

func find(r *http.Request) *session {
	cookie, err := r.Cookie("session")
	if err != nil {
		return nil
	}
	mutex.Lock()
	defer mutex.Unlock()
	return sessions[cookie.Value]
}

// Ends the session of the browser, and returns what was known.
func end(r *http.Request) *session {
	known := find(r)
	if cookie, err := r.Cookie("session"); err == nil {
		mutex.Lock()
		defer mutex.Unlock()
		delete(sessions, cookie.Value)
	}
	return known
}
