#!/bin/sh
# Sets up componentize-py once, beside the plugin, and makes a component of main.py and all that it imports.
set -eu
if [ ! -x .venv/bin/componentize-py ]; then
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check --requirement requirements.txt
fi
mkdir -p build
exec .venv/bin/componentize-py --quiet -d wit -w {{world}} componentize main -o build/plugin.wasm
