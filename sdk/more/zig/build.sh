#!/bin/sh
# Sets up the compiler once, beside the plugin; a Zig of your own does as well.
set -eu
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1
fi
mkdir -p build
exec .venv/bin/python -m ziglang build-exe ticket.zig -target wasm32-freestanding -O ReleaseSmall -fno-entry -rdynamic \
    --stack 262144 -femit-bin=build/plugin.wasm
