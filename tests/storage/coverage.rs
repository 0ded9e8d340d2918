//! Coverage: this suite names every repository function.

use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder, by their paths within it, with their texts.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    found
}

/// How a test calls what a file of the storage offers: `users::identities::` for `users/identities.rs`.
fn prefix_of(file: &Path) -> String {
    if file.starts_with("sql") {
        return "storage::".to_owned();
    }
    let names = file.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap()).filter(|name| *name != "mod");
    names.fold(String::new(), |path, name| path + name + "::")
}

#[test]
fn every_repository_function_is_called_by_this_suite() {
    let tests: String = sources("tests/storage").into_iter().map(|(_, text)| text).collect();
    let mut functions = 0;
    for (file, text) in sources("src/storage") {
        for line in text.lines() {
            let Some(name) = line.strip_prefix("pub async fn ").and_then(|rest| rest.split('(').next()) else {
                continue;
            };
            let path = format!("{}{name}(", prefix_of(&file));
            assert!(tests.contains(&path), "nothing calls {path}…)");
            functions += 1;
        }
    }
    assert!(functions > 50, "the search finds next to nothing");
}
