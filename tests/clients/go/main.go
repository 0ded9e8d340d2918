// go-oidc with golang.org/x/oauth2: a web application with a secret. What it needs to know of the server, discovery tells
// it.
//
//	go_client GIVEN VISIT_SCRIPT
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

type registered struct {
	Issuer, Resource, RedirectURI, AfterLogout, Engineer, Customer, SubjectToken string
	WebClientID, WebClientSecret                                                 string
}

// A person at a browser, in a process of its own that keeps the cookies.
type person struct {
	ask     io.Writer
	answers *bufio.Reader
}

func newPerson(script, given string) person {
	command := exec.Command("node", script, given)
	command.Stderr = os.Stderr
	ask, err := command.StdinPipe()
	must(err)
	answers, err := command.StdoutPipe()
	must(err)
	must(command.Start())
	return person{ask, bufio.NewReader(answers)}
}

// Opens an address and does what the pages want; answers the address of the application at which it ends.
func (p person) visit(address string) *url.URL {
	fmt.Fprintln(p.ask, address)
	line, err := p.answers.ReadString('\n')
	must(err)
	reached, err := url.Parse(strings.TrimSpace(line))
	must(err)
	return reached
}

func main() {
	ctx := context.Background()
	text, err := os.ReadFile(os.Args[1])
	must(err)
	var given registered
	must(json.Unmarshal(text, &given))
	someone := newPerson(os.Args[2], os.Args[1])

	provider, err := oidc.NewProvider(ctx, given.Issuer)
	must(err)
	var endpoints struct {
		EndSession string `json:"end_session_endpoint"`
		Revocation string `json:"revocation_endpoint"`
	}
	must(provider.Claims(&endpoints))
	config := oauth2.Config{
		ClientID:     given.WebClientID,
		ClientSecret: given.WebClientSecret,
		Endpoint:     provider.Endpoint(),
		RedirectURL:  given.RedirectURI,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	identities := provider.Verifier(&oidc.Config{ClientID: given.WebClientID})

	verifier := oauth2.GenerateVerifier()
	back := someone.visit(config.AuthCodeURL("s-1", oidc.Nonce("n-1"), oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("prompt", "consent")))
	check(back.Query().Get("state") == "s-1" && back.Query().Get("iss") == given.Issuer, back)
	token, err := config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	must(err)
	hint, _ := token.Extra("id_token").(string)
	identity, err := identities.Verify(ctx, hint)
	must(err)
	check(identity.Subject == given.Engineer && identity.Nonce == "n-1", identity)
	must(identity.VerifyAccessToken(token.AccessToken))
	userinfo, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	must(err)
	check(userinfo.Subject == given.Engineer && userinfo.Email == "engineer@example.com", userinfo)

	refreshed, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	must(err)
	check(refreshed.AccessToken != token.AccessToken && refreshed.RefreshToken != token.RefreshToken, "refreshed")
	again, _ := refreshed.Extra("id_token").(string)
	identity, err = identities.Verify(ctx, again)
	must(err)
	check(identity.Subject == given.Engineer, identity)

	// The library has no exchange of its own, and takes another grant type.
	exchanged, err := config.Exchange(ctx, "",
		oauth2.SetAuthURLParam("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
		oauth2.SetAuthURLParam("redirect_uri", ""),
		oauth2.SetAuthURLParam("subject_token", given.SubjectToken),
		oauth2.SetAuthURLParam("subject_token_type", accessTokenType),
		oauth2.SetAuthURLParam("actor_token", refreshed.AccessToken),
		oauth2.SetAuthURLParam("actor_token_type", accessTokenType),
		oauth2.SetAuthURLParam("resource", given.Resource),
		oauth2.SetAuthURLParam("scope", "resource:read"))
	must(err)
	// As a resource server verifies it.
	acting, err := provider.Verifier(&oidc.Config{ClientID: given.Resource}).Verify(ctx, exchanged.AccessToken)
	must(err)
	var claims struct {
		Act struct{ Sub string }
	}
	must(acting.Claims(&claims))
	check(acting.Subject == given.Customer && claims.Act.Sub == given.Engineer, acting)

	revocation, err := http.NewRequest("POST", endpoints.Revocation,
		strings.NewReader(url.Values{"token": {refreshed.RefreshToken}}.Encode()))
	must(err)
	revocation.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	revocation.SetBasicAuth(given.WebClientID, given.WebClientSecret)
	answer, err := http.DefaultClient.Do(revocation)
	must(err)
	check(answer.StatusCode == http.StatusOK, answer.Status)
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshed.RefreshToken}).Token()
	var refusal *oauth2.RetrieveError
	check(errors.As(err, &refusal) && refusal.ErrorCode == "invalid_grant", err)

	query := url.Values{"id_token_hint": {hint}, "post_logout_redirect_uri": {given.AfterLogout}, "state": {"bye"}}
	bye := someone.visit(endpoints.EndSession + "?" + query.Encode())
	check(bye.String() == given.AfterLogout+"?state=bye", bye)
	gone := someone.visit(config.AuthCodeURL("s-2", oauth2.S256ChallengeOption(oauth2.GenerateVerifier()),
		oauth2.SetAuthURLParam("prompt", "none")))
	check(gone.Query().Get("error") == "login_required" && gone.Query().Get("state") == "s-2", gone)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(holds bool, found any) {
	if !holds {
		log.Fatalf("unexpected: %v", found)
	}
}
