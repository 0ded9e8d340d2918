#!/bin/sh
# Sets up Fengari, a Lua 5.3 in JavaScript, once, beside the plugin; makes one file of it, main.js and the script.
set -eu
if [ ! -x node_modules/.bin/esbuild ]; then
    npm install --no-save --no-package-lock --no-audit --no-fund --silent --prefix . \
        fengari@0.1.5 fengari-interop@0.1.4 esbuild@0.25.12
fi
exec node_modules/.bin/esbuild main.js --bundle --minify --format=esm --platform=browser \
    --define:process.env.FENGARICONF=undefined --define:process=undefined --loader:.lua=text --log-level=warning --outfile=build/ticket.js
