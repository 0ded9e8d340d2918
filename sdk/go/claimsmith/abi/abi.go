// Package abi reads and writes what crosses the border between a plugin and its host, as the canonical ABI of the
// component model lays it out for 32 bits. Its types are those of the WIT; nobody but claims, transform and message uses it.
package abi

import "unsafe"

// Text is a string or a list of bytes.
type Text struct {
	at   uint32
	size uint32
}

// String is the text, which the host gave for good.
func (text Text) String() string {
	return unsafe.String((*byte)(pointer(text.at)), text.size)
}

// Option is a text that may be absent.
type Option struct {
	some uint8
	_    [3]byte
	text Text
}

// Get is the text, or nothing.
func (option Option) Get() (string, bool) {
	if option.some == 0 {
		return "", false
	}
	return option.text.String(), true
}

// List is a list of pairs of texts.
type List struct {
	at   uint32
	size uint32
}

// Pair is a name with its value.
type Pair struct{ Name, Value Text }

// Pairs are the members of the list.
func (list List) Pairs() []Pair {
	return unsafe.Slice((*Pair)(pointer(list.at)), list.size)
}

// Map is the list by its names.
func (list List) Map() map[string]string {
	members := make(map[string]string, list.size)
	for _, pair := range list.Pairs() {
		members[pair.Name.String()] = pair.Value.String()
	}
	return members
}

// kept is what the host may still read: an instance lives for one call, so nothing is given back.
var kept []any

// Of is a text that the host may read.
func Of(text string) Text {
	kept = append(kept, text)
	return Text{at: address(unsafe.Pointer(unsafe.StringData(text))), size: uint32(len(text))}
}

// OptionOf is a text that the host may read, or its absence.
func OptionOf(text *string) Option {
	if text == nil {
		return Option{}
	}
	return Option{some: 1, text: Of(*text)}
}

// ListOf is a list that the host may read.
func ListOf(members map[string]string) List {
	pairs := make([]Pair, 0, len(members)+1)
	for name, value := range members {
		pairs = append(pairs, Pair{Of(name), Of(value)})
	}
	kept = append(kept, pairs)
	return List{at: address(unsafe.Pointer(unsafe.SliceData(pairs))), size: uint32(len(pairs))}
}

// Parts are address and size, as arguments of imports are given.
func (text Text) Parts() (uint32, uint32) { return text.at, text.size }

// Parts are address and size, as arguments of imports are given.
func (list List) Parts() (uint32, uint32) { return list.at, list.size }

// Allocate is memory for the host to write to. A host asks for whole texts and lists, never for more of them later.
func Allocate(size uint32) unsafe.Pointer {
	memory := make([]uint64, size/8+1)
	kept = append(kept, memory)
	return unsafe.Pointer(unsafe.SliceData(memory))
}

func pointer(address uint32) unsafe.Pointer {
	return unsafe.Add(nil, address)
}

func address(pointer unsafe.Pointer) uint32 {
	return uint32(uintptr(pointer))
}
