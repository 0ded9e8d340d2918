package claims

import (
	"encoding/json"
	"errors"
	"unsafe"

	"claimsmith.dev/plugin/abi"
)

// Request is a request to a server that [capabilities.http] of the settings grants.
type Request struct {
	// Method is GET where it is empty.
	Method  string
	URL     string
	Headers map[string]string
	// Body is none where it is nil.
	Body []byte
}

// Response is what a server answers.
type Response struct {
	Status int
	// Headers by their names in small letters; the last of one name.
	Headers map[string]string
	Body    []byte
}

// JSON reads the body.
func (response Response) JSON(into any) error { return json.Unmarshal(response.Body, into) }

// reply is a result<response, string>.
type reply struct {
	isError uint8
	_       [3]byte
	// The status, or the text of the error.
	first   uint32
	second  abi.List
	body    abi.Text
	padding uint32
}

// Send asks and waits for the whole answer. The error says what was not granted, too much or not answered.
func Send(request Request) (Response, error) {
	method := request.Method
	if method == "" {
		method = "GET"
	}
	var hasBody uint32
	if request.Body != nil {
		hasBody = 1
	}
	answered := (*reply)(abi.Allocate(uint32(unsafe.Sizeof(reply{}))))
	methodAt, methodSize := abi.Of(method).Parts()
	urlAt, urlSize := abi.Of(request.URL).Parts()
	headersAt, headersSize := abi.ListOf(request.Headers).Parts()
	bodyAt, bodySize := abi.Of(string(request.Body)).Parts()
	send(methodAt, methodSize, urlAt, urlSize, headersAt, headersSize, hasBody, bodyAt, bodySize, unsafe.Pointer(answered))
	if answered.isError != 0 {
		text := (*abi.Text)(unsafe.Pointer(&answered.first))
		return Response{}, errors.New(text.String())
	}
	status := int(*(*uint16)(unsafe.Pointer(&answered.first)))
	return Response{Status: status, Headers: answered.second.Map(), Body: []byte(answered.body.String())}, nil
}
