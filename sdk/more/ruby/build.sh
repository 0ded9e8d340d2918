#!/bin/sh
# Sets up Opal, a compiler from Ruby to JavaScript, once, beside the plugin; makes one file of what it writes and main.js.
set -eu
if [ ! -x node_modules/.bin/esbuild ]; then
    npm install --no-save --no-package-lock --no-audit --no-fund --silent --prefix . \
        opal-compiler@3.0.0 esbuild@0.25.12
fi
node --no-warnings compile.cjs
exec node_modules/.bin/esbuild main.js --bundle --minify --format=esm --platform=browser --log-level=warning \
    --outfile=build/ticket.js
