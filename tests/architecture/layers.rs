//! The crates: which one is built of which others, as Cargo knows it, and as the picture in `docs/architecture.md` shows.

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// Each crate by its folder, with the folders of those that it names.
type Crates = BTreeMap<String, BTreeSet<String>>;

/// What `cargo metadata` says of the members, but for those that only tests use.
fn crates() -> Crates {
    let cargo = env!("CARGO");
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let folder = |package: &serde_json::Value| {
        let manifest = package["manifest_path"].as_str().unwrap();
        let folder = manifest.strip_prefix(root().to_str().unwrap()).unwrap().strip_suffix("/Cargo.toml").unwrap();
        if folder.is_empty() { "src".to_owned() } else { folder.trim_start_matches('/').to_owned() }
    };
    let packages = metadata["packages"].as_array().unwrap();
    let folders: BTreeMap<&str, String> =
        packages.iter().map(|package| (package["name"].as_str().unwrap(), folder(package))).collect();
    let named = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let built_of = dependencies.filter(|dependency| dependency["kind"].is_null());
        built_of.filter_map(|dependency| folders.get(dependency["name"].as_str().unwrap()).cloned()).collect()
    };
    let shown = packages.iter().map(|package| (folder(package), named(package)));
    shown.filter(|(folder, _)| !folder.starts_with("tests") && folder != "fuzz").collect()
}

/// Everything that a crate is built of, through others too.
fn below(crates: &Crates, folder: &str) -> BTreeSet<String> {
    let direct = crates[folder].iter();
    direct.flat_map(|used| below(crates, used).into_iter().chain([used.clone()])).collect()
}

/// The picture: an arrow from each crate to those that it names and no other of them is built of.
fn picture(crates: &Crates) -> String {
    let mut lines = vec!["```mermaid".to_owned(), "flowchart TD".to_owned()];
    for (folder, used) in crates {
        for target in used {
            let is_implied = used.iter().any(|other| other != target && below(crates, other).contains(target));
            if !is_implied {
                lines.push(format!("    {folder} --> {target}"));
            }
        }
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

#[test]
fn the_picture_shows_what_crates_are_built_of() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let wanted = picture(&crates());
    assert!(page.contains(&wanted), "docs/architecture.md has to show:\n{wanted}");
}

/// Each of the server's crates stands above the next.
#[test]
fn the_floors_of_the_server_lie_upon_each_other() {
    let crates = crates();
    let floors = [
        "src",
        "src/management",
        "src/pages",
        "src/web",
        "src/identity",
        "src/services",
        "src/storage",
        "src/config",
        "src/domain",
    ];
    let beside = [
        ["src", "src/oidc"],
        ["src/oidc", "src/pages"],
        ["src/identity", "src/api"],
        ["src/console", "src/api"],
        ["src/api", "src/domain"],
    ];
    for pair in floors.windows(2).chain(beside.iter().map(<[_; 2]>::as_slice)) {
        assert!(below(&crates, pair[0]).contains(pair[1]), "{} is not built of {}", pair[0], pair[1]);
    }
    let listed: BTreeSet<&str> =
        floors.into_iter().chain(["src/api", "src/console", "src/oidc", "src/storage/derive"]).collect();
    let found: BTreeSet<&str> = crates.keys().map(String::as_str).filter(|folder| folder.starts_with("src")).collect();
    assert_eq!(found, listed);
}
