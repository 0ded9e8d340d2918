// Package cache keeps values for later calls of a claims plugin, as JSON. [capabilities.cache] of the settings must
// declare it. An entry may be gone at any time.
package cache

import (
	"encoding/json"
	"errors"
	"math"
	"time"
	"unsafe"

	"claimsmith.dev/plugin/abi"
)

// Owner says whose an entry is. The server adds the id, so that no call reaches an entry of another user or application.
type Owner uint32

const (
	// User is the user whom the token is about.
	User Owner = iota
	// Application is the application that asks for the token.
	Application
	// Everybody is all calls of the plugin, which needs a grant of its own.
	Everybody
)

// found is a result<option<list<u8>>, string>.
type found struct {
	isError uint8
	_       [3]byte
	// The option, or the text of the error, which begins at the same place.
	value abi.Option
}

// stored is a result<_, string>.
type stored struct {
	isError uint8
	_       [3]byte
	text    abi.Text
}

// Get reads what was stored under this key, and says whether there is such an entry.
func Get(owner Owner, key string, into any) (bool, error) {
	answered := (*found)(abi.Allocate(uint32(unsafe.Sizeof(found{}))))
	keyAt, keySize := abi.Of(key).Parts()
	get(uint32(owner), keyAt, keySize, unsafe.Pointer(answered))
	if answered.isError != 0 {
		text := (*abi.Text)(unsafe.Pointer(&answered.value))
		return false, errors.New(text.String())
	}
	value, some := answered.value.Get()
	if !some {
		return false, nil
	}
	return true, json.Unmarshal([]byte(value), into)
}

// Set stores a value for this long, in whole seconds up to an hour, in the place of what was there.
func Set(owner Owner, key string, value any, lifetime time.Duration) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	// Too much or too little is refused by the server.
	seconds := uint32(min(max(int64(lifetime/time.Second), 0), math.MaxUint32))
	answered := (*stored)(abi.Allocate(uint32(unsafe.Sizeof(stored{}))))
	keyAt, keySize := abi.Of(key).Parts()
	valueAt, valueSize := abi.Of(string(text)).Parts()
	set(uint32(owner), keyAt, keySize, valueAt, valueSize, seconds, unsafe.Pointer(answered))
	if answered.isError != 0 {
		return errors.New(answered.text.String())
	}
	return nil
}
