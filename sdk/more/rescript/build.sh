#!/bin/sh
# Sets up the compiler once, beside the plugin; makes one file of what it writes and of its library.
set -eu
if [ ! -x node_modules/.bin/esbuild ]; then
    npm install --no-save --no-package-lock --no-audit --no-fund --silent --prefix . rescript@12.3.1 esbuild@0.25.12
fi
node_modules/.bin/rescript build >&2
exec node_modules/.bin/esbuild src/Ticket.res.js --bundle --format=esm --platform=browser --log-level=warning \
    --outfile=build/ticket.js
