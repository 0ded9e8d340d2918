//! Whether this suite names every function that the storage offers.

use std::fs;
use std::path::Path;

fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(file).unwrap()))
        .collect()
}

#[test]
fn every_repository_function_is_called_by_this_suite() {
    let tests: String = sources("tests/storage").into_iter().map(|(_, text)| text).collect();
    let mut functions = 0;
    for (module, text) in sources("src/storage") {
        for line in text.lines() {
            let Some(name) = line.strip_prefix("pub async fn ").and_then(|rest| rest.split('(').next()) else {
                continue;
            };
            let path = if module == "migrate" { format!("storage::{name}(") } else { format!("{module}::{name}(") };
            assert!(tests.contains(&path), "nothing calls {path}…)");
            functions += 1;
        }
    }
    assert!(functions > 50, "the search finds next to nothing");
}
