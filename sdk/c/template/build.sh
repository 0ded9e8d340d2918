#!/bin/sh
# Sets up Zig's C compiler once, beside the plugin, and compiles main.c with what the contract declares.
set -eu
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1
fi
mkdir -p build
exec .venv/bin/python -m ziglang cc -target wasm32-wasi -mexec-model=reactor -std=c11 -Wall -Wextra -Os -s \
    -Wl,-z,stack-size=262144 main.c bindings/plugin.c -o build/plugin.wasm
