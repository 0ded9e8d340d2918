//! The architecture: layers without circles, what packages are built of, that only the runtime names wasmtime and only the
//! storage writes SQL, and how long a file may be.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod accounts;
mod circles;
mod errors;
mod layers;
mod limits;
mod packages;

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file that people write.
const MAX_LINES: usize = 400;
/// How a file begins that nobody writes: the shapes of the plugin contract.
const GENERATED: &str = "//! Written by sdk/schema/generate";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The crate of the console's screens.
const CONSOLE: &str = "src/console";
/// The crates within the folder of the server, which are no modules of it.
const CRATES: [&str; 10] = [
    "src/config",
    CONSOLE,
    "src/domain",
    "src/identity",
    "src/management",
    "src/oidc",
    "src/pages",
    "src/services",
    "src/storage",
    "src/web",
];

/// The files of the server that decide and answer: above the database, without the screens of the console.
fn server_sources() -> Vec<(PathBuf, String)> {
    let others = ["src/config", CONSOLE, "src/domain", "src/storage"];
    sources("src").into_iter().filter(|(path, _)| !others.iter().any(|folder| path.starts_with(folder))).collect()
}

/// What a member of the workspace is built of.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
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

/// By the driver alone, a request that is dropped before PostgreSQL has answered would leave its connection within a
/// transaction.
#[test]
fn transactions_of_postgresql_are_begun_in_one_place() {
    let mut found = 0;
    for (path, text) in sources("src/storage") {
        let code = code(&text);
        found += code.matches("Transaction::begin(").count();
        assert!(!code.contains("pool.begin()") && !code.contains("connection.begin()"), "{}", path.display());
    }
    assert_eq!(found, 1, "`begin` of src/storage/sql/db.rs");
}

#[test]
fn untrusted_json_is_parsed_in_one_place() {
    let (parser, documents) = (Path::new("sdk/json/src/lib.rs"), Path::new("src/storage/sql/document.rs"));
    // What an author's or an operator's own machine reads, the guests' library, and a constant.
    let elsewhere = ["src/cli", "src/console/examples", "sdk/cli", "sdk/rust", "sdk/harness/src/random_inputs.rs"];
    let readers = ["serde_json::from_str", "serde_json::from_slice", "serde_json::from_reader", "Deserializer::from_s"];
    let libraries = ["finish_passkey_", "finish_discoverable_", "decode_header(", "AsyncHttpClient<"];
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
        // Libraries that parse it themselves get what was checked before.
        let hands_over = libraries.iter().find(|library| code.contains(*library));
        let checks = code.contains("json::check(") || code.contains("json::read");
        assert!(checks || hands_over.is_none(), "{} does not check the JSON for {hands_over:?}", path.display());
        let stores = path != documents && code.contains("sqlx::types::Json");
        assert!(!stores, "{} stores JSON, which only {} may", path.display(), documents.display());
    }
}

/// A line of a log that holds the end of a line would be an event.
#[test]
fn server_sent_events_are_written_in_one_place() {
    let writer = Path::new("src/console/event_stream.rs");
    for (path, text) in sources("src").into_iter().filter(|(path, _)| path != writer) {
        for written in ["\\ndata: {", "\"data: ", "\"id: ", "format!(\"event: "] {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            assert!(!code.contains(written), "{}: {written:?} is for {}", path.display(), writer.display());
        }
    }
}

#[test]
fn the_domain_is_pure() {
    let packages = dependencies("src/domain");
    for foreign in ["sqlx", "axum", "tokio", "reqwest", "claimsmith-runtime", "claimsmith-config"] {
        assert!(!packages.iter().any(|name| name == foreign), "src/domain is built of {foreign}");
    }
}

/// Where HTTP begins, and where the driver of the database ends.
#[test]
fn foreign_libraries_stay_on_their_floors() {
    for folder in CRATES {
        let packages = dependencies(folder);
        let has = |name: &str| packages.iter().any(|package| package == name);
        let speaks_http = ["src/web", "src/pages", "src/oidc", "src/management", CONSOLE].contains(&folder);
        assert_eq!(has("axum"), speaks_http, "{folder}: axum");
        assert_eq!(has("sqlx"), folder == "src/storage", "{folder}: sqlx");
    }
    assert!(!dependencies("").iter().any(|name| name == "sqlx"), "the server itself is built of sqlx");
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let mut problems = Vec::new();
    for (path, text) in all_sources().into_iter().chain(sources("tests")) {
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
