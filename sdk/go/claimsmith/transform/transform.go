// Package transform makes a function a webhook transform.
package transform

import (
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"

	"claimsmith.dev/plugin"
	"claimsmith.dev/plugin/abi"
)

// Outcome is what becomes of a delivery. With a reason to drop it, it is not sent; an empty one leaves it as it is.
type Outcome struct {
	plugin.Changed
	plugin.Dropped
}

// Send is the outcome of a delivery that is sent.
func Send(changed plugin.Changed) Outcome { return Outcome{Changed: changed} }

// Drop is the outcome of a delivery that is not sent, for this reason.
func Drop(reason string) Outcome { return Outcome{Dropped: plugin.Dropped{Drop: reason}} }

// Function says what becomes of one delivery. An error is a failure of the plugin.
type Function func(plugin.Delivery) (Outcome, error)

var function Function

// Plugin makes the function the plugin of this program; to be called from init.
func Plugin(f Function) { function = f }

// result is a result<outcome, failure>.
type result struct {
	isError uint8
	_       [3]byte
	// The case of the outcome, or of the failure.
	which uint8
	_     [3]byte
	// Body, headers and path; or the text of a drop or a failure, in the place of the body.
	body    abi.Option
	headers abi.List
	path    abi.Option
}

//go:wasmexport transform
func transform(id, idSize, event, eventSize, hook, hookSize, environment, environmentSize uint32) unsafe.Pointer {
	read := struct {
		id, event, hook abi.Text
		environment     abi.List
	}{}
	// The arguments lie as the record does.
	*(*[8]uint32)(unsafe.Pointer(&read)) = [8]uint32{id, idSize, event, eventSize, hook, hookSize, environment, environmentSize}
	outcome, err := answer(read.id.String(), read.event.String(), read.hook.String(), read.environment.Map())
	answered := &result{}
	text := (*abi.Text)(unsafe.Pointer(&answered.body))
	switch {
	case err != nil:
		answered.isError, answered.which = 1, 1
		*text = abi.Of(err.Error())
	case outcome.Drop != "":
		answered.which = 1
		*text = abi.Of(outcome.Drop)
	default:
		answered.body, answered.headers, answered.path = outcome.written(), abi.ListOf(outcome.Headers), abi.OptionOf(outcome.Path)
	}
	return unsafe.Pointer(answered)
}

func (outcome Outcome) written() abi.Option {
	text, _ := outcome.Body.(string)
	if outcome.Body == nil {
		return abi.OptionOf(nil)
	}
	return abi.OptionOf(&text)
}

func answer(id, event, hook string, environment map[string]string) (outcome Outcome, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	if function == nil {
		return outcome, errors.New("no function was given to transform.Plugin")
	}
	delivery := plugin.Delivery{DeliveryID: id, EnvironmentVariables: environment}
	if err = json.Unmarshal([]byte(event), &delivery.Event); err != nil {
		return outcome, err
	}
	if err = json.Unmarshal([]byte(hook), &delivery.Hook); err != nil {
		return outcome, err
	}
	if outcome, err = function(delivery); err != nil {
		return outcome, err
	}
	if _, isText := outcome.Body.(string); !isText && outcome.Body != nil {
		var text []byte
		if text, err = json.Marshal(outcome.Body); err == nil {
			outcome.Body = string(text)
		}
	}
	return outcome, err
}
