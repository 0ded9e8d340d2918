//go:build wasip1

package abi

import (
	"context"
	"log/slog"
	"strings"
	"unsafe"
)

//go:wasmexport cabi_export_realloc
func exportRealloc(_ unsafe.Pointer, _, _, size uint32) unsafe.Pointer { return Allocate(size) }

//go:wasmexport cabi_import_realloc
func importRealloc(_ unsafe.Pointer, _, _, size uint32) unsafe.Pointer { return Allocate(size) }

//go:wasmimport claimsmith:plugin/log@1.2.0 write
func write(level, at, size uint32)

// pluginLog makes log/slog write to the plugin's log.
type pluginLog struct{ attributes []slog.Attr }

func init() { slog.SetDefault(slog.New(pluginLog{})) }

func (pluginLog) Enabled(context.Context, slog.Level) bool { return true }

func (log pluginLog) Handle(_ context.Context, record slog.Record) error {
	var line strings.Builder
	line.WriteString(record.Message)
	add := func(attribute slog.Attr) bool {
		line.WriteString(" " + attribute.Key + "=" + attribute.Value.String())
		return true
	}
	for _, attribute := range log.attributes {
		add(attribute)
	}
	record.Attrs(add)
	at, size := Of(line.String()).Parts()
	write(level(record.Level), at, size)
	return nil
}

func (log pluginLog) WithAttrs(attributes []slog.Attr) slog.Handler {
	return pluginLog{append(log.attributes[:len(log.attributes):len(log.attributes)], attributes...)}
}

func (log pluginLog) WithGroup(string) slog.Handler { return log }

func level(level slog.Level) uint32 {
	switch {
	case level < slog.LevelInfo:
		return 0
	case level < slog.LevelWarn:
		return 1
	case level < slog.LevelError:
		return 2
	default:
		return 3
	}
}
