//! The README says what is: the configuration table is the program's own, and every folder on the map exists.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn the_configuration_table_is_the_programs_own() {
    let readme = readme();
    let (_, rest) = readme.split_once("<!-- claimsmith config keys -->\n").unwrap();
    let (table, _) = rest.split_once("\n<!-- end -->").unwrap();
    let own = claimsmith::config::reference();
    assert_eq!(table.trim(), own.trim(), "put the output of `claimsmith config keys` into the README");
}

#[test]
fn the_folders_on_the_map_exist() {
    let readme = readme();
    let (_, rest) = readme.split_once("## The folders\n\n```\n").unwrap();
    let (map, _) = rest.split_once("```").unwrap();
    let mut top = "";
    let mut seen = 0;
    for line in map.lines() {
        let names = line.split("  ").find(|part| !part.is_empty()).unwrap();
        if !line.starts_with(' ') {
            top = names.split_whitespace().next().unwrap();
        }
        for name in names.split_whitespace().filter(|name| name.contains(['/', '.'])) {
            let path = if line.starts_with(' ') { format!("{top}{name}") } else { name.to_owned() };
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "{path} is on the map but not there");
            seen += 1;
        }
    }
    assert!(seen > 10, "the map was not understood");
}
