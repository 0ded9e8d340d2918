#!/bin/sh
# Sets up Zig's C++ compiler once, beside the plugin, and compiles main.cpp with what the contract declares.
set -eu
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1
fi
mkdir -p build
.venv/bin/python -m ziglang cc -target wasm32-wasi -Os -c bindings/plugin.c -o build/bindings.o
exec .venv/bin/python -m ziglang c++ -target wasm32-wasi -mexec-model=reactor -std=c++20 -Wall -Wextra -Os -s \
    -fno-exceptions -fno-rtti -Wl,-z,stack-size=262144 main.cpp build/bindings.o -o build/plugin.wasm
