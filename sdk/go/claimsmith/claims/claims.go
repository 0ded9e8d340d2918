// Package claims makes a function a claims plugin.
package claims

import (
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/abi"
)

// Denied is an error after which the token must not be issued; the text is shown to the application.
type Denied string

func (denied Denied) Error() string { return string(denied) }

// Function computes the claims of one token. Any error but Denied is a failure of the plugin, for its log.
type Function func(plugin.ClaimsRequest) (plugin.Claims, error)

var function Function

// Plugin makes the function the plugin of this program; to be called from init.
func Plugin(f Function) { function = f }

// request is the record claims-request.
type request struct {
	token abi.Text
	grant struct {
		some    uint8
		_       [3]byte
		kind    abi.Text
		context abi.Option
	}
	user, application, organization, interaction abi.Option
	environment                                  abi.List
}

// result is a result<json, failure>.
type result struct {
	isError uint8
	_       [3]byte
	// The claims, or the failure: its case, and its text.
	payload [3]uint32
}

//go:wasmexport get-custom-jwt-claims
func getCustomJwtClaims(asked unsafe.Pointer) unsafe.Pointer {
	written, err := answer((*request)(asked))
	answered := &result{}
	var denied Denied
	switch {
	case err == nil:
		answered.payload[0], answered.payload[1] = abi.Of(written).Parts()
	case errors.As(err, &denied):
		answered.isError = 1
		answered.payload[1], answered.payload[2] = abi.Of(string(denied)).Parts()
	default:
		answered.isError, answered.payload[0] = 1, 1
		answered.payload[1], answered.payload[2] = abi.Of(err.Error()).Parts()
	}
	return unsafe.Pointer(answered)
}

func answer(asked *request) (written string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	if function == nil {
		return "", errors.New("no function was given to claims.Plugin")
	}
	read, err := asked.read()
	if err != nil {
		return "", err
	}
	claims, err := function(read)
	if err != nil {
		return "", err
	}
	if claims == nil {
		claims = plugin.Claims{}
	}
	text, err := json.Marshal(claims)
	return string(text), err
}

func (asked *request) read() (read plugin.ClaimsRequest, err error) {
	read.EnvironmentVariables = asked.environment.Map()
	err = json.Unmarshal([]byte(asked.token.String()), &read.Token)
	parse := func(option abi.Option, into any) {
		if text, some := option.Get(); some && err == nil {
			err = json.Unmarshal([]byte(text), into)
		}
	}
	parse(asked.user, &read.Context.User)
	parse(asked.application, &read.Context.Application)
	parse(asked.organization, &read.Context.Organization)
	parse(asked.interaction, &read.Context.Interaction)
	if asked.grant.some != 0 {
		read.Context.Grant = &plugin.Grant{Type: asked.grant.kind.String()}
		parse(asked.grant.context, &read.Context.Grant.SubjectTokenContext)
	}
	return read, err
}
