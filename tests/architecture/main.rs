//! The architecture: which module may use which, that only the runtime names wasmtime and only the storage writes SQL,
//! and how long a file may be.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the server with all that it may use of the others: `cli → app → http → accounts → {tokens, webhooks} →
/// {storage, plugins} → domain`. `main` may use everything.
const MODULES: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("clock", &[]),
    ("activity", &[]),
    ("base64", &[]),
    ("config", &["base64"]),
    ("egress", &["config", "domain"]),
    ("supervisor", &[]),
    ("client_keys", &["clock", "domain", "egress", "supervisor"]),
    ("federation", &["clock", "domain", "egress"]),
    ("random", &[]),
    ("passwords", &["domain", "random"]),
    ("pictures", &[]),
    ("folder", &[]),
    ("encryption", &[]),
    ("passkeys", &["config", "domain", "encryption"]),
    ("concurrency_limit", &["domain"]),
    ("address_rate_limit", &["domain"]),
    ("telemetry", &["config"]),
    ("serving", &["config", "concurrency_limit", "telemetry"]),
    ("plugins", &["activity", "domain", "egress"]),
    ("storage", &["domain", "folder"]),
    ("audit", &["domain", "random", "storage"]),
    (
        "tokens",
        &[
            "audit",
            "client_keys",
            "clock",
            "config",
            "domain",
            "supervisor",
            "plugins",
            "random",
            "encryption",
            "storage",
        ],
    ),
    ("refusal_sampling", &["audit", "clock", "domain", "supervisor", "random", "storage", "telemetry"]),
    ("deployments", &["clock", "encryption", "plugins", "storage"]),
    ("delivery_queue", &["clock", "supervisor", "random", "storage"]),
    (
        "webhooks",
        &[
            "activity",
            "audit",
            "clock",
            "config",
            "delivery_queue",
            "domain",
            "egress",
            "supervisor",
            "plugins",
            "random",
            "encryption",
            "storage",
        ],
    ),
    ("unit_of_work", &["audit", "domain", "storage", "webhooks"]),
    ("connectors", &["domain", "encryption", "storage"]),
    ("captcha", &["domain", "egress", "encryption", "storage"]),
    ("verification_codes", &["domain", "encryption", "random", "storage"]),
    (
        "messages",
        &[
            "activity",
            "audit",
            "clock",
            "config",
            "connectors",
            "delivery_queue",
            "domain",
            "egress",
            "encryption",
            "plugins",
            "random",
            "storage",
            "supervisor",
            "tokens",
            "unit_of_work",
            "webhooks",
        ],
    ),
    (
        "accounts",
        &["domain", "encryption", "messages", "passwords", "pictures", "random", "storage", "unit_of_work", "webhooks"],
    ),
    (
        "bootstrap",
        &[
            "accounts",
            "audit",
            "base64",
            "config",
            "domain",
            "folder",
            "passwords",
            "random",
            "encryption",
            "storage",
            "tokens",
            "unit_of_work",
            "webhooks",
        ],
    ),
    (
        "app",
        &[
            "activity",
            "captcha",
            "domain",
            "federation",
            "client_keys",
            "clock",
            "config",
            "deployments",
            "egress",
            "address_rate_limit",
            "messages",
            "supervisor",
            "passkeys",
            "passwords",
            "pictures",
            "plugins",
            "random",
            "refusal_sampling",
            "encryption",
            "storage",
            "tokens",
            "webhooks",
        ],
    ),
    ("retention", &["activity", "app", "supervisor", "storage"]),
    ("heartbeat", &["activity", "app", "supervisor", "storage"]),
    (
        "backchannel_logout",
        &[
            "app",
            "audit",
            "delivery_queue",
            "domain",
            "egress",
            "supervisor",
            "random",
            "storage",
            "tokens",
            "webhooks",
        ],
    ),
    (
        "interaction",
        &[
            "activity",
            "captcha",
            "connectors",
            "federation",
            "accounts",
            "app",
            "audit",
            "config",
            "domain",
            "encryption",
            "messages",
            "passkeys",
            "passwords",
            "pictures",
            "random",
            "refusal_sampling",
            "storage",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "own_account",
        &[
            "accounts",
            "app",
            "audit",
            "clock",
            "domain",
            "interaction",
            "pictures",
            "messages",
            "refusal_sampling",
            "storage",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "http",
        &[
            "activity",
            "captcha",
            "federation",
            "accounts",
            "app",
            "audit",
            "base64",
            "client_keys",
            "clock",
            "config",
            "deployments",
            "domain",
            "encryption",
            "interaction",
            "messages",
            "passkeys",
            "own_account",
            "passwords",
            "pictures",
            "plugins",
            "random",
            "refusal_sampling",
            "concurrency_limit",
            "connectors",
            "storage",
            "telemetry",
            "tokens",
            "unit_of_work",
            "verification_codes",
            "webhooks",
        ],
    ),
    (
        "server",
        &[
            "app",
            "heartbeat",
            "backchannel_logout",
            "bootstrap",
            "clock",
            "config",
            "deployments",
            "domain",
            "egress",
            "http",
            "passwords",
            "supervisor",
            "plugins",
            "random",
            "serving",
            "storage",
            "retention",
            "telemetry",
        ],
    ),
    (
        "cli",
        &[
            "accounts",
            "app",
            "audit",
            "bootstrap",
            "captcha",
            "clock",
            "config",
            "connectors",
            "deployments",
            "domain",
            "http",
            "passwords",
            "supervisor",
            "plugins",
            "random",
            "server",
            "storage",
            "telemetry",
            "tokens",
            "unit_of_work",
            "webhooks",
        ],
    ),
];

/// What the server is made of, and plugin authors need not compile.
const SERVER_ONLY: &[&str] = &[
    "argon2",
    "axum",
    "bcrypt",
    "claimsmith",
    "image",
    "jsonwebtoken",
    "landlock",
    "lettre",
    "metrics",
    "oauth2",
    "openidconnect",
    "phonenumber",
    "qrcode",
    "quick_cache",
    "seccompiler",
    "sqlx",
    "totp-rs",
    "tracing-subscriber",
    "utoipa",
];

/// The most lines of a file that people write.
const MAX_LINES: usize = 400;
/// How a file begins that nobody writes: the shapes of the plugin contract.
const GENERATED: &str = "//! Written by sdk/schema/generate";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The crate of the console's screens, which is no module of the server.
const CONSOLE: &str = "src/console";

/// The files of the server.
fn server_sources() -> Vec<(PathBuf, String)> {
    sources("src").into_iter().filter(|(path, _)| !path.starts_with(CONSOLE)).collect()
}

/// Every Rust file below a folder, by its path from the root, with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} is empty");
    found
}

/// The sources of every package: the server's and those of `sdk`.
fn all_sources() -> Vec<(PathBuf, String)> {
    let mut found = sources("src");
    for entry in fs::read_dir(root().join("sdk")).unwrap() {
        let package = entry.unwrap().path();
        if package.join("src").is_dir() {
            found.extend(sources(package.join("src").strip_prefix(root()).unwrap().to_str().unwrap()));
        }
    }
    found
}

/// The text without comments.
fn code(text: &str) -> String {
    text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

/// The module of the server that a file belongs to; `main` for `main.rs` and `lib.rs`.
fn module_of(path: &Path) -> String {
    let first = path.strip_prefix("src").unwrap().components().next().unwrap();
    let name = Path::new(&first).file_stem().unwrap().to_str().unwrap().to_owned();
    if name == "lib" { "main".to_owned() } else { name }
}

/// The names that follow `crate::`, also those in braces.
fn used_modules(code: &str) -> BTreeSet<String> {
    let name_at = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut used = BTreeSet::new();
    for (start, path) in code.match_indices("crate::") {
        let rest = &code[start + path.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            used.insert(name_at(rest));
            continue;
        };
        let (mut depth, mut expects_name) = (1, true);
        for (index, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => expects_name = true,
                _ if expects_name && depth == 1 && !character.is_whitespace() => {
                    used.insert(name_at(&group[index..]));
                    expects_name = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

#[test]
fn used_modules_are_found_in_every_form() {
    let code =
        "use crate::app::App;\nuse crate::{clock::{self, Clock}, http,\n storage};\nlet x = crate::random::id(1);";
    let expected = ["app", "clock", "http", "random", "storage"].map(str::to_owned);
    assert_eq!(used_modules(code), BTreeSet::from(expected));
}

#[test]
fn modules_know_only_what_stands_below_them() {
    let mut problems = Vec::new();
    for (path, text) in server_sources() {
        let module = module_of(&path);
        if module == "main" {
            continue;
        }
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == module) else {
            problems.push(format!("{module} is not in the table: say what it may use"));
            continue;
        };
        for used in used_modules(&code(&text)) {
            let is_module = MODULES.iter().any(|(name, _)| *name == used);
            if is_module && used != module && !allowed.contains(&used.as_str()) {
                problems.push(format!("{} uses {used}, which {module} may not know", path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_table_has_no_circles() {
    let mut below: Vec<&str> = Vec::new();
    for (module, allowed) in MODULES {
        for name in *allowed {
            assert!(below.contains(name), "{module} may use {name}, which stands above it");
        }
        below.push(module);
    }
}

#[test]
fn only_the_runtime_names_wasmtime() {
    let runtime = Path::new("sdk/runtime/src");
    for (path, text) in all_sources() {
        assert!(path.starts_with(runtime) || !code(&text).contains("wasmtime"), "{} names wasmtime", path.display());
    }
}

#[test]
fn only_storage_writes_sql() {
    let statements = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "sqlx::query"];
    let mut found = 0;
    for (path, text) in all_sources() {
        let writes = statements.iter().find(|statement| code(&text).contains(*statement));
        found += usize::from(writes.is_some());
        assert!(path.starts_with("src/storage") || writes.is_none(), "{} writes SQL: {writes:?}", path.display());
    }
    assert!(found > 10, "the search finds next to nothing");
}

#[test]
fn untrusted_json_is_parsed_in_one_place() {
    let (parser, documents) = (Path::new("sdk/json/src/lib.rs"), Path::new("src/storage/sql/document.rs"));
    // What an author's or an operator's own machine reads, the guests' library, and a constant.
    let elsewhere = ["src/cli", "src/console/examples", "sdk/cli", "sdk/rust", "sdk/harness/src/random_inputs.rs"];
    let readers = ["serde_json::from_str", "serde_json::from_slice", "serde_json::from_reader", "Deserializer::from_s"];
    for (path, text) in all_sources() {
        let code = code(text.split("#[cfg(test)]").next().unwrap());
        let reads = readers.iter().find(|reader| code.contains(*reader));
        let may = path == parser || elsewhere.iter().any(|folder| path.starts_with(folder));
        assert!(
            may || reads.is_none(),
            "{} parses JSON ({reads:?}), which only {} may",
            path.display(),
            parser.display()
        );
        let stores = path != documents && code.contains("sqlx::types::Json");
        assert!(!stores, "{} stores JSON, which only {} may", path.display(), documents.display());
    }
}

/// The packages that `sdk/cli` is built of, by name: what its manifest and those of other members say, and from there
/// what the lock file says. It names whatever any member builds of a package, which may be more.
fn packages_of_the_author_commands() -> BTreeSet<String> {
    let parse = |path: &str| -> toml::Table { fs::read_to_string(root().join(path)).unwrap().parse().unwrap() };
    let lock = parse("Cargo.lock");
    let mut found = BTreeSet::new();
    let mut open = vec!["claimsmith-cli".to_owned()];
    while let Some(name) = open.pop() {
        if !found.insert(name.clone()) {
            continue;
        }
        if let Some(folder) = name.strip_prefix("claimsmith-") {
            // Of members, the lock file mixes in what their tests need.
            let manifest = parse(&format!("sdk/{folder}/Cargo.toml"));
            open.extend(manifest["dependencies"].as_table().unwrap().keys().cloned());
            continue;
        }
        for package in
            lock["package"].as_array().unwrap().iter().filter(|package| package["name"].as_str() == Some(&name))
        {
            let needs = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
            open.extend(needs.map(|need| need.as_str().unwrap().split(' ').next().unwrap().to_owned()));
        }
    }
    found
}

#[test]
fn plugin_authors_compile_no_server() {
    let packages = packages_of_the_author_commands();
    let found: Vec<_> = SERVER_ONLY.iter().filter(|name| packages.contains(**name)).collect();
    assert!(found.is_empty(), "sdk/cli needs {found:?}");
    assert!(packages.contains("wasmtime") && packages.contains("rustls"), "the lock file was not understood");
}

#[test]
fn the_screens_of_the_console_know_nothing_of_the_server() {
    let manifest = fs::read_to_string(root().join(CONSOLE).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let packages = manifest["dependencies"].as_table().unwrap();
    let found: Vec<_> = packages.keys().filter(|name| name.starts_with("claimsmith") || *name == "sqlx").collect();
    assert_eq!(found, ["claimsmith-json"], "{CONSOLE} needs no other part of the server");
}

#[test]
fn the_domain_is_pure() {
    for (path, text) in sources("src/domain") {
        for foreign in ["sqlx", "axum", "tokio", "reqwest", "claimsmith_runtime"] {
            assert!(!code(&text).contains(foreign), "{} names {foreign}", path.display());
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let mut problems = Vec::new();
    for (path, text) in all_sources() {
        let lines = text.lines().count();
        if lines > MAX_LINES && !text.starts_with(GENERATED) {
            problems.push(format!("{} has {lines} lines", path.display()));
        }
        if !text.starts_with("//!") {
            problems.push(format!("{} does not begin by saying what it owns", path.display()));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
