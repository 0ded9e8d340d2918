//go:build !wasip1

package cache

import "unsafe"

const outside = "the cache works in the sandbox alone: plugintest asks a plugin there"

// get has no host outside the sandbox, where `go test` compiles a plugin beside its tests.
func get(_, _, _ uint32, _ unsafe.Pointer) { panic(outside) }

// set is as get.
func set(_, _, _, _, _, _ uint32, _ unsafe.Pointer) { panic(outside) }
