//! The operations that the console's screens ask for by name: one that does not exist would hide a button from
//! everybody, and refuse nobody.

use claimsmith_management::operation;
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources and templates below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "html") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_operation_that_a_screen_names_exists() {
    let asked = Regex::new(r#"may\w*\(\s*"([A-Z]+)",\s*"(/api/[^"]*)""#).unwrap();
    let named = Regex::new(r#""([A-Z]+) (/api/[^"]+)""#).unwrap();
    let mut count = 0;
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console")) {
        let text = fs::read_to_string(&file).unwrap();
        for found in asked.captures_iter(&text).chain(named.captures_iter(&text)) {
            let (_, [method, route]) = found.extract();
            assert!(operation(method, route).is_some(), "{}: there is no {method} {route}", file.display());
            count += 1;
        }
    }
    assert!(count > 150, "the screens name their operations otherwise: only {count} were found");
}
