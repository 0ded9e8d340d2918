#!/bin/sh
# Compiles D without its runtime, which is not made for WebAssembly.
set -eu
for tool in ldc2 wasm-ld; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not on the PATH; Debian has it in the packages ldc and lld" >&2
        exit 1
    fi
done
mkdir -p build
ldc2 -mtriple=wasm32-unknown-unknown-wasm -betterC -preview=shortenedMethods -Oz -c -of=build/plugin.o \
    ticket.d claimsmith.d memory.d
exec wasm-ld --no-entry --export=cabi_realloc --allow-undefined --strip-all --stack-first \
    -z stack-size=262144 -o build/plugin.wasm build/plugin.o
