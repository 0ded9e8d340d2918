//go:build wasip1

package cache

import "unsafe"

//go:wasmimport claimsmith:plugin/cache@1.2.0 get
func get(owner, key, keySize uint32, answer unsafe.Pointer)

//go:wasmimport claimsmith:plugin/cache@1.2.0 set
func set(owner, key, keySize, value, valueSize, seconds uint32, answer unsafe.Pointer)
