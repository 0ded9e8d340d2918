#!/bin/sh
# Compiles OCaml to its bytecode, and that to JavaScript, whose export becomes the module's.
set -eu
for tool in ocamlfind js_of_ocaml; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not on the PATH; Debian has it in the packages ocaml-findlib and js-of-ocaml" >&2
        exit 1
    fi
done
mkdir -p build
cp claimsmith.ml ticket.ml build
cd build
ocamlfind ocamlc -package js_of_ocaml -linkpkg claimsmith.ml ticket.ml -o ticket.byte
js_of_ocaml --opt 3 ticket.byte -o compiled.js
{
    cat compiled.js
    echo "export const getCustomJwtClaims = globalThis.getCustomJwtClaims;"
} >ticket.js
