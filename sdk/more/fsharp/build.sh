#!/bin/sh
# Sets up the compiler once, beside the plugin: Fable as JavaScript, which runs in Node without .NET. Makes one file of what
# it writes and of its library.
set -eu
standalone=node_modules/fable-standalone/dist/bundle.min.js
if [ ! -x node_modules/.bin/esbuild ]; then
    npm install --no-save --no-package-lock --no-audit --no-fund --silent --prefix . fable-compiler-js@3.3.0 \
        fable-standalone@3.8.0 fable-metadata@2.2.0 dirname-filename-esm@1.1.2 esbuild@0.25.12
    # The package says that this file is a module, which it is not: what imports it finds no name in it.
    {
        echo "const exports = {}, module = { exports };"
        cat "$standalone"
        echo
        echo "export const { init } = exports;"
    } >build.tmp
    mv build.tmp "$standalone"
fi
node_modules/.bin/fable ticket.fsproj --outDir build/fable --optimize >&2
exec node_modules/.bin/esbuild build/fable/src/Ticket.js --bundle --format=esm --platform=browser --log-level=warning \
    --outfile=build/ticket.js
