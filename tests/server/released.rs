//! What was released stays: every migration as it was, and of every release a database that the tests upgrade.

use crate::upgrade::schemas;
use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::Value;
use sha2::{Digest as _, Sha384};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The migrations of a dump: number and checksum, as the migrator wrote them.
fn applied(dump: &str) -> BTreeMap<u32, Vec<u8>> {
    let rows = dump.lines().filter(|line| line.starts_with("INSERT INTO") && line.contains("_sqlx_migrations"));
    rows.map(|row| {
        let values = row.split_once("VALUES").unwrap().1.trim_start().trim_start_matches('(');
        let number = values.split(',').next().unwrap().parse().unwrap();
        // X'…' in SQLite, '\x…' in PostgreSQL.
        let text = ["X'", "'\\x"].iter().find_map(|start| values.split_once(start)).unwrap().1;
        let checksum = text.split('\'').next().unwrap();
        (number, HEXLOWER_PERMISSIVE.decode(checksum.as_bytes()).unwrap())
    })
    .collect()
}

/// The migrations of a kind of database: number, file name and checksum.
fn migrations(kind: &str) -> BTreeMap<u32, (String, Vec<u8>)> {
    let folder = root().join("migrations").join(kind);
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    files
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            let number = name.split('_').next().unwrap().parse().unwrap();
            (number, (name, Sha384::digest(fs::read(file.path()).unwrap()).to_vec()))
        })
        .collect()
}

#[test]
fn a_migration_that_was_released_is_never_edited() {
    let mut edited = BTreeSet::new();
    for kind in ["sqlite", "postgres"] {
        let own = migrations(kind);
        for schema in schemas() {
            let applied = applied(&fs::read_to_string(schema.join(format!("{kind}.sql"))).unwrap());
            let newest: u32 = schema.file_name().unwrap().to_str().unwrap().parse().unwrap();
            assert!(applied.keys().copied().eq(1..=newest), "{}: {:?}", schema.display(), applied.keys());
            for (number, checksum) in applied {
                match own.get(&number) {
                    Some((_, unchanged)) if *unchanged == checksum => {}
                    Some((name, _)) => drop(edited.insert(format!("migrations/{kind}/{name}"))),
                    None => drop(edited.insert(format!("migrations/{kind}/{number:04}"))),
                }
            }
        }
    }
    assert!(
        edited.is_empty(),
        "released databases would be refused: write a new migration instead of editing {edited:?}"
    );
}

#[test]
fn every_release_has_a_database_that_is_upgraded() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let released: BTreeSet<String> =
        headings.filter_map(|heading| heading.split_once(" - ")).map(|(version, _)| version.to_owned()).collect();
    assert!(released.contains("0.1.0"), "{released:?}");
    for kind in ["sqlite", "postgres"] {
        let kept: BTreeSet<String> = schemas()
            .iter()
            .filter_map(|schema| {
                let kept = fs::read(schema.join(format!("{kind}.json"))).unwrap();
                let kept: Value = serde_json::from_slice(&kept).unwrap();
                kept["version"].as_str().map(str::to_owned)
            })
            .collect();
        let missing: Vec<_> = released.difference(&kept).collect();
        assert!(missing.is_empty(), "{kind}: run tests/server/upgrade/make for {missing:?}");
    }
}
