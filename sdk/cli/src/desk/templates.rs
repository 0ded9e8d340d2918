//! The templates of `claimsmith plugin new`, from `sdk/`, with the plugin's name filled in.

use crate::terminal::program;
use claimsmith_harness::c_bindings;
use claimsmith_runtime::{Kind, WIT};
use std::path::Path;

/// The placeholder for the plugin's name.
const NAME: &str = "{{name}}";
/// The placeholder for the world's name.
const WORLD: &str = "{{world}}";

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

/// What a new plugin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Example {
    /// The name of the user becomes a claim, at every sign-in
    User,
    /// The ticket of an impersonation becomes a claim
    Ticket,
    /// The answer of another server becomes a claim
    Lookup,
    /// The same with an API key that the plugin never sees, and an answer that is kept for five minutes
    Cached,
    /// A webhook transform: personal data is removed from deliveries
    Mask,
    /// A message plugin: text messages are sent by a provider
    Message,
}

/// A file of a project and its text; `plugin` at the beginning of the file's name stands for the plugin's own.
type TemplateFile = (&'static str, &'static str);

/// The text of each [`Example`], in their order.
type Sources = [&'static str; 6];

/// Every language's settings and cases are the same: what differs is how the function is written.
const SETTINGS: Sources = [
    include_str!("../../../template/user.toml"),
    include_str!("../../../template/ticket.toml"),
    include_str!("../../../template/lookup.toml"),
    include_str!("../../../template/cached.toml"),
    include_str!("../../../template/mask.toml"),
    include_str!("../../../template/message.toml"),
];
const CASES: Sources = [
    include_str!("../../../template/user.cases.json"),
    include_str!("../../../template/ticket.cases.json"),
    include_str!("../../../template/lookup.cases.json"),
    include_str!("../../../template/cached.cases.json"),
    include_str!("../../../template/mask.cases.json"),
    include_str!("../../../template/message.cases.json"),
];

/// The sources or the tests of the examples in a language: what stands before and after their names.
macro_rules! sources {
    ($lang:literal, $before:literal, $after:literal) => {
        [
            include_str!(concat!("../../../", $lang, "/template/", $before, "user", $after)),
            include_str!(concat!("../../../", $lang, "/template/", $before, "ticket", $after)),
            include_str!(concat!("../../../", $lang, "/template/", $before, "lookup", $after)),
            include_str!(concat!("../../../", $lang, "/template/", $before, "cached", $after)),
            include_str!(concat!("../../../", $lang, "/template/", $before, "mask", $after)),
            include_str!(concat!("../../../", $lang, "/template/", $before, "message", $after)),
        ]
    };
}

/// Files that are copied as they are, from below `sdk/`.
macro_rules! files {
    ($($name:literal = $path:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../", $path)))),*]
    };
}

const TYPES: &[TemplateFile] = files![
    "claimsmith.d.ts" = "typescript/claimsmith.d.ts",
    "shapes.d.ts" = "typescript/shapes.d.ts",
    "tsconfig.json" = "typescript/tsconfig.json",
    "tests/claimsmith-testing.mjs" = "javascript/testing.mjs",
];
const RUST: &[TemplateFile] = files![
    "Cargo.toml" = "rust/template/Cargo.toml",
    "build.toml" = "rust/template/build.toml",
    "build.sh" = "rust/template/build.sh",
    ".gitignore" = "rust/template/gitignore",
    "claimsmith/Cargo.toml" = "rust/Cargo.toml",
    "claimsmith/src/lib.rs" = "rust/src/lib.rs",
    "claimsmith/src/cache.rs" = "rust/src/cache.rs",
    "claimsmith/src/claims.rs" = "rust/src/claims.rs",
    "claimsmith/src/message.rs" = "rust/src/message.rs",
    "claimsmith/src/transform.rs" = "rust/src/transform.rs",
    "claimsmith/src/shapes.rs" = "rust/src/shapes.rs",
];
const PYTHON: &[TemplateFile] = files![
    "build.toml" = "python/template/build.toml",
    "build.sh" = "python/template/build.sh",
    "requirements.txt" = "python/template/requirements.txt",
    ".gitignore" = "python/template/gitignore",
    "claimsmith/__init__.py" = "python/claimsmith/__init__.py",
    "claimsmith/_host.py" = "python/claimsmith/_host.py",
    "claimsmith/cache.py" = "python/claimsmith/cache.py",
    "claimsmith/claims.py" = "python/claimsmith/claims.py",
    "claimsmith/message.py" = "python/claimsmith/message.py",
    "claimsmith/transform.py" = "python/claimsmith/transform.py",
    "claimsmith/shapes.py" = "python/claimsmith/shapes.py",
    "tests/claimsmith_testing.py" = "python/claimsmith_testing.py",
];
const GO: &[TemplateFile] = files![
    "build.toml" = "go/template/build.toml",
    "build.sh" = "go/template/build.sh",
    "go.mod" = "go/template/go.mod",
    ".gitignore" = "go/template/gitignore",
    "claimsmith/go.mod" = "go/claimsmith/go.mod",
    "claimsmith/shapes.go" = "go/claimsmith/shapes.go",
    "claimsmith/abi/abi.go" = "go/claimsmith/abi/abi.go",
    "claimsmith/abi/host.go" = "go/claimsmith/abi/host.go",
    "claimsmith/cache/cache.go" = "go/claimsmith/cache/cache.go",
    "claimsmith/cache/host.go" = "go/claimsmith/cache/host.go",
    "claimsmith/cache/host_outside.go" = "go/claimsmith/cache/host_outside.go",
    "claimsmith/claims/claims.go" = "go/claimsmith/claims/claims.go",
    "claimsmith/claims/http.go" = "go/claimsmith/claims/http.go",
    "claimsmith/claims/send.go" = "go/claimsmith/claims/send.go",
    "claimsmith/claims/send_outside.go" = "go/claimsmith/claims/send_outside.go",
    "claimsmith/message/message.go" = "go/claimsmith/message/message.go",
    "claimsmith/plugintest/plugintest.go" = "go/claimsmith/plugintest/plugintest.go",
    "claimsmith/transform/transform.go" = "go/claimsmith/transform/transform.go",
];
const C: &[TemplateFile] = files![
    "build.toml" = "c/template/build.toml",
    "build.sh" = "c/template/build.sh",
    ".gitignore" = "c/template/gitignore",
    "claimsmith.h" = "c/claimsmith.h",
    "shapes.h" = "c/shapes.h",
];
const CPP: &[TemplateFile] = files![
    "build.toml" = "cpp/template/build.toml",
    "build.sh" = "cpp/template/build.sh",
    ".gitignore" = "cpp/template/gitignore",
    "claimsmith.hpp" = "cpp/claimsmith.hpp",
    "claims.hpp" = "cpp/claims.hpp",
    "message.hpp" = "cpp/message.hpp",
    "shapes.hpp" = "cpp/shapes.hpp",
    "transform.hpp" = "cpp/transform.hpp",
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

    /// Where the author's source is, and what it is for each example.
    fn source(self) -> (&'static str, Sources) {
        match self {
            Self::Rust => ("src/lib.rs", sources!("rust", "", ".rs")),
            Self::Javascript => ("plugin.js", sources!("javascript", "", ".js")),
            Self::Typescript => ("plugin.ts", sources!("typescript", "", ".ts")),
            Self::Python => ("main.py", sources!("python", "", ".py")),
            Self::Go => ("main.go", sources!("go", "", ".go")),
            Self::C => ("main.c", sources!("c", "", ".c")),
            Self::Cpp => ("main.cpp", sources!("cpp", "", ".cpp")),
        }
    }

    /// Where the author's tests are, and what they are for each example; none where golden cases are all there is.
    /// Beside a plugin in JavaScript they would be taken for another one.
    fn tests(self) -> Option<(&'static str, Sources)> {
        let tests = match self {
            Self::Javascript | Self::Typescript => ("tests/plugin.test.mjs", sources!("javascript", "", ".test.mjs")),
            Self::Python => ("tests/test_plugin.py", sources!("python", "test_", ".py")),
            Self::Go => ("main_test.go", sources!("go", "", "_test.go")),
            Self::Rust | Self::C | Self::Cpp => return None,
        };
        Some(tests)
    }

    /// What stands around it.
    fn package(self) -> &'static [TemplateFile] {
        match self {
            Self::Rust => RUST,
            Self::Javascript | Self::Typescript => TYPES,
            Self::Python => PYTHON,
            Self::Go => GO,
            Self::C => C,
            Self::Cpp => CPP,
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

impl Example {
    fn of(self, sources: Sources) -> &'static str {
        let [user, ticket, lookup, cached, mask, message] = sources;
        match self {
            Self::User => user,
            Self::Ticket => ticket,
            Self::Lookup => lookup,
            Self::Cached => cached,
            Self::Mask => mask,
            Self::Message => message,
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::User | Self::Ticket | Self::Lookup | Self::Cached => Kind::Claims,
            Self::Mask => Kind::WebhookTransform,
            Self::Message => Kind::Message,
        }
    }
}

/// The files of a new plugin, by their paths.
pub(super) fn files(lang: Lang, example: Example, name: &str) -> anyhow::Result<Vec<(String, String)>> {
    let (source, sources) = lang.source();
    let own = [
        ("plugin.toml", example.of(SETTINGS)),
        ("plugin.cases.json", example.of(CASES)),
        (source, example.of(sources)),
    ];
    let world = example.kind().world().rsplit('/').next().unwrap_or_default();
    let filled = |text: &str| text.replace(NAME, name).replace(WORLD, world);
    let tests = lang.tests().map(|(file, sources)| (file, example.of(sources)));
    let mut files: Vec<(String, String)> = own
        .iter()
        .chain(&tests)
        .chain(lang.package())
        .map(|(file, text)| {
            let file =
                file.strip_prefix("plugin.").map_or_else(|| (*file).to_owned(), |ending| format!("{name}.{ending}"));
            (file, filled(text))
        })
        .collect();
    if let Some(folder) = lang.wit() {
        files.extend(WIT.map(|(file, text)| (format!("{folder}/{file}"), text.to_owned())));
    }
    if matches!(lang, Lang::C | Lang::Cpp) {
        let bindings = c_bindings(example.kind()).map_err(anyhow::Error::msg)?;
        files.extend(bindings.into_iter().map(|(file, text)| (format!("bindings/{file}"), text)));
    }
    Ok(files)
}

/// What to do next.
pub(super) fn next_steps(folder: &Path) -> String {
    format!(
        "\n  cd {}\n  {program} plugin test      # its golden cases, on the server's own runtime\n  \
         {program} plugin check     # the server's checks, run here\n  \
         {program} plugin dev       # build, test and deploy at every save",
        folder.display(),
        program = program()
    )
}
