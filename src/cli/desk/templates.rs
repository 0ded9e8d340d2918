//! What `claimsmith plugin new` writes: the templates of `sdk/`, with the plugin's name filled in.

use claimsmith_harness::c_bindings;
use claimsmith_runtime::{Kind, WIT};
use std::path::Path;

/// What stands for the plugin's name in texts.
const NAME: &str = "{{name}}";

/// A language with a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Lang {
    Rust,
    Javascript,
    Typescript,
    Python,
    Go,
    C,
    Cpp,
}

/// A file of a project and its text; `plugin` at the beginning of the file's name stands for the plugin's own.
type File = (&'static str, &'static str);

/// Every language's cases and settings are the same: what differs is how the function is written.
const COMMON: [File; 2] = [
    ("plugin.toml", include_str!("../../../sdk/template/plugin.toml")),
    ("plugin.cases.json", include_str!("../../../sdk/template/plugin.cases.json")),
];
const TYPES: [File; 2] = [
    ("claimsmith.d.ts", include_str!("../../../sdk/typescript/claimsmith.d.ts")),
    ("shapes.d.ts", include_str!("../../../sdk/typescript/shapes.d.ts")),
];
const JAVASCRIPT: [File; 1] = [("plugin.js", include_str!("../../../sdk/javascript/template/plugin.js"))];
const TYPESCRIPT: [File; 1] = [("plugin.ts", include_str!("../../../sdk/typescript/template/plugin.ts"))];
const RUST: [File; 9] = [
    ("Cargo.toml", include_str!("../../../sdk/rust/template/Cargo.toml")),
    ("build.toml", include_str!("../../../sdk/rust/template/build.toml")),
    ("src/lib.rs", include_str!("../../../sdk/rust/template/lib.rs")),
    (".gitignore", "/target\n/*.wasm\n"),
    ("claimsmith/Cargo.toml", include_str!("../../../sdk/rust/Cargo.toml")),
    ("claimsmith/src/lib.rs", include_str!("../../../sdk/rust/src/lib.rs")),
    ("claimsmith/src/claims.rs", include_str!("../../../sdk/rust/src/claims.rs")),
    ("claimsmith/src/transform.rs", include_str!("../../../sdk/rust/src/transform.rs")),
    ("claimsmith/src/shapes.rs", include_str!("../../../sdk/rust/src/shapes.rs")),
];
const PYTHON: [File; 9] = [
    ("build.toml", include_str!("../../../sdk/python/template/build.toml")),
    ("build.sh", include_str!("../../../sdk/python/template/build.sh")),
    ("requirements.txt", include_str!("../../../sdk/python/template/requirements.txt")),
    ("plugin.py", include_str!("../../../sdk/python/template/plugin.py")),
    (".gitignore", "/.venv\n/build\n/*.wasm\n__pycache__\n"),
    ("claimsmith/__init__.py", include_str!("../../../sdk/python/claimsmith/__init__.py")),
    ("claimsmith/_host.py", include_str!("../../../sdk/python/claimsmith/_host.py")),
    ("claimsmith/claims.py", include_str!("../../../sdk/python/claimsmith/claims.py")),
    ("claimsmith/shapes.py", include_str!("../../../sdk/python/claimsmith/shapes.py")),
];
const GO: [File; 11] = [
    ("build.toml", include_str!("../../../sdk/go/template/build.toml")),
    ("go.mod", include_str!("../../../sdk/go/template/go.mod")),
    ("main.go", include_str!("../../../sdk/go/template/main.go")),
    (".gitignore", "/build\n/*.wasm\n"),
    ("claimsmith/go.mod", include_str!("../../../sdk/go/claimsmith/go.mod")),
    ("claimsmith/shapes.go", include_str!("../../../sdk/go/claimsmith/shapes.go")),
    ("claimsmith/abi/abi.go", include_str!("../../../sdk/go/claimsmith/abi/abi.go")),
    ("claimsmith/abi/host.go", include_str!("../../../sdk/go/claimsmith/abi/host.go")),
    ("claimsmith/claims/claims.go", include_str!("../../../sdk/go/claimsmith/claims/claims.go")),
    ("claimsmith/claims/http.go", include_str!("../../../sdk/go/claimsmith/claims/http.go")),
    ("claimsmith/transform/transform.go", include_str!("../../../sdk/go/claimsmith/transform/transform.go")),
];
const C: [File; 5] = [
    ("build.toml", include_str!("../../../sdk/c/template/build.toml")),
    ("build.sh", include_str!("../../../sdk/c/template/build.sh")),
    ("plugin.c", include_str!("../../../sdk/c/template/plugin.c")),
    ("claimsmith.h", include_str!("../../../sdk/c/claimsmith.h")),
    (".gitignore", "/.venv\n/build\n/*.wasm\n"),
];

const CPP: [File; 5] = [
    ("build.toml", include_str!("../../../sdk/cpp/template/build.toml")),
    ("build.sh", include_str!("../../../sdk/cpp/template/build.sh")),
    ("plugin.cpp", include_str!("../../../sdk/cpp/template/plugin.cpp")),
    ("claimsmith.hpp", include_str!("../../../sdk/cpp/claimsmith.hpp")),
    (".gitignore", "/.venv\n/build\n/*.wasm\n"),
];

impl Lang {
    /// As people write it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Javascript => "JavaScript",
            Self::Typescript => "TypeScript",
            Self::Python => "Python",
            Self::Go => "Go",
            Self::C => "C",
            Self::Cpp => "C++",
        }
    }

    fn own(self) -> Vec<File> {
        match self {
            Self::Rust => RUST.to_vec(),
            Self::Javascript => [&JAVASCRIPT[..], &TYPES].concat(),
            Self::Typescript => [&TYPESCRIPT[..], &TYPES].concat(),
            Self::Python => PYTHON.to_vec(),
            Self::Go => GO.to_vec(),
            Self::C => C.to_vec(),
            Self::Cpp => CPP.to_vec(),
        }
    }

    /// The folder of the contract, where a language's own tools read it.
    fn wit(self) -> Option<&'static str> {
        match self {
            Self::Rust => Some("claimsmith/wit"),
            Self::Python => Some("wit"),
            Self::Javascript | Self::Typescript | Self::Go | Self::C | Self::Cpp => None,
        }
    }
}

/// The files of a new plugin, by their paths.
pub(super) fn files(lang: Lang, name: &str) -> anyhow::Result<Vec<(String, String)>> {
    let mut files: Vec<(String, String)> = COMMON.into_iter().chain(lang.own()).map(|file| named(file, name)).collect();
    if let Some(folder) = lang.wit() {
        files.extend(WIT.map(|(file, text)| (format!("{folder}/{file}"), text.to_owned())));
    }
    if matches!(lang, Lang::C | Lang::Cpp) {
        let bindings = c_bindings(Kind::Claims).map_err(anyhow::Error::msg)?;
        files.extend(bindings.into_iter().map(|(file, text)| (format!("bindings/{file}"), text)));
    }
    Ok(files)
}

/// The file with the plugin's name: `plugin.js` becomes `NAME.js`. What a compiler is told of by name stays.
fn named((file, text): File, name: &str) -> (String, String) {
    let own_name = file.strip_prefix("plugin.").filter(|ending| !["c", "cpp", "py"].contains(ending));
    let file = own_name.map_or_else(|| file.to_owned(), |ending| format!("{name}.{ending}"));
    (file, text.replace(NAME, name))
}

/// What to do next.
pub(super) fn next_steps(folder: &Path) -> String {
    format!(
        "\n  cd {}\n  claimsmith plugin test      # its golden cases, on the server's own runtime\n  \
         claimsmith plugin check     # what the server will say of it\n  \
         claimsmith plugin dev       # into a running server, at every save",
        folder.display()
    )
}
