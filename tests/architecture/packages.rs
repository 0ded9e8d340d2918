//! What packages are built of: plugin authors compile no server, and screens of the console know of it only the bodies
//! of the Management API.

use super::{CONSOLE, dependencies, root};
use std::collections::BTreeSet;
use std::fs;

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
fn the_screens_of_the_console_know_of_the_server_only_its_bodies() {
    let packages = dependencies(CONSOLE);
    let found: Vec<_> = packages.iter().filter(|name| name.starts_with("claimsmith") || *name == "sqlx").collect();
    assert_eq!(
        found,
        ["claimsmith-api", "claimsmith-domain", "claimsmith-json"],
        "{CONSOLE} needs no other part of it"
    );
}
