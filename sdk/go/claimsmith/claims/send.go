//go:build wasip1

package claims

import "unsafe"

//go:wasmimport claimsmith:plugin/http@1.2.0 send
func send(method, methodSize, url, urlSize, headers, headersSize, hasBody, body, bodySize uint32, answer unsafe.Pointer)
