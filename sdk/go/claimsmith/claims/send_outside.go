//go:build !wasip1

package claims

import "unsafe"

// send has no host outside the sandbox, where `go test` compiles a plugin beside its tests.
func send(_, _, _, _, _, _, _, _, _ uint32, _ unsafe.Pointer) {
	panic("claims.Send works in the sandbox alone: plugintest asks a plugin there")
}
