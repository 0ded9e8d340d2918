//! Compatibility of the plugin contract: published WIT files never change, newer ones accept every older component, and
//! the components that were kept from each version load and pass their golden cases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_harness::{Harness, HarnessOptions};
use claimsmith_runtime::WIT;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use wit_component::semver_check;
use wit_parser::{Resolve, SourceMap};

/// The files of a package, by name.
type Contract = BTreeMap<String, String>;

fn present() -> Contract {
    WIT.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// What was published, by version.
fn published() -> Vec<(Version, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/published");
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut versions: Vec<_> =
        folders.map(|path| (Version::of(path.file_name().unwrap().to_str().unwrap()), path)).collect();
    versions.sort();
    assert!(!versions.is_empty());
    versions
}

fn read(folder: &Path) -> Contract {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "wit"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

impl Version {
    fn of(text: &str) -> Self {
        let numbers: Vec<u32> = text.split('.').map(|number| number.parse().unwrap()).collect();
        Self(numbers.try_into().unwrap())
    }

    /// Of a package; all its files say the same.
    fn named_by(contract: &Contract) -> Self {
        let named = |text: &String| {
            let line = text.lines().next().unwrap();
            Self::of(line.strip_prefix("package claimsmith:plugin@").unwrap().trim_end_matches(';'))
        };
        let versions: Vec<_> = contract.values().map(named).collect();
        assert!(versions.windows(2).all(|pair| pair[0] == pair[1]), "{versions:?}");
        versions[0]
    }
}

/// Why components of the `old` contract do not run under the `new` one.
fn incompatible(old: &Contract, new: &Contract) -> Option<String> {
    let mut resolve = Resolve::default();
    let mut push = |contract: &Contract| {
        let mut sources = SourceMap::new();
        for (name, text) in contract {
            sources.push_str(name, text.clone());
        }
        resolve.push_group(sources.parse().map_err(|(_, error)| error).unwrap()).unwrap()
    };
    let (old, new) = (push(old), push(new));
    // A newer contract may have more worlds, and never fewer.
    resolve.packages[old].worlds.iter().find_map(|(world, old)| {
        let Some(new) = resolve.packages[new].worlds.get(world) else { return Some(format!("{world} is gone")) };
        semver_check(resolve.clone(), *old, *new).err().map(|error| format!("{world}: {error:#}"))
    })
}

#[test]
fn what_was_published_never_changes_and_stays_compatible() {
    let (present, version) = (present(), Version::named_by(&present()));
    for (published, folder) in published() {
        let text = read(&folder);
        assert_eq!(Version::named_by(&text), published, "{}", folder.display());
        assert!(published <= version, "{published:?} was published; the package must not go back to {version:?}");
        if published == version {
            assert_eq!(text, present, "{version:?} was published: a change needs a new version");
        } else if published.0[0] == version.0[0] {
            assert_eq!(incompatible(&text, &present), None, "components of {published:?} would not run");
        }
    }
}

#[test]
fn additions_are_compatible_and_changes_are_not() {
    let old = published().pop().map(|(_, folder)| read(&folder)).unwrap();
    let next = |file: &str, from: &str, to: &str| {
        let mut new = old.clone();
        for text in new.values_mut() {
            let (line, rest) = text.split_once('\n').unwrap();
            *text = format!("{}\n{rest}", line.replace(';', "-next;"));
        }
        let text = new.get_mut(file).unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(&changed, text, "{file} has no {from:?}");
        *text = changed;
        incompatible(&old, &new)
    };
    for (file, from, to) in [
        ("log.wit", "  write:", "  flush: func();\n  write:"),
        ("claims.wit", "world claims {", "interface more { f: func(); }\nworld claims {\n  import more;"),
        ("claims.wit", "world claims {", "world wider { import log; }\nworld claims {"),
    ] {
        assert_eq!(next(file, from, to), None, "{file}: {to:?}");
    }
    for (file, from, to) in [
        (
            "types.wit",
            "    application: option<json>,\n",
            "    application: option<json>,\n    device: option<json>,\n",
        ),
        ("types.wit", "    failed(string),\n", "    failed(string),\n    later(u32),\n"),
        ("random.wit", "len: u32", "len: u64"),
        ("log.wit", "warn, error", "warn, error, fatal"),
        ("claims.wit", "  import http;\n", ""),
        ("claims.wit", "  export", "  export ready: func();\n  export"),
        ("webhooks.wit", "    path: option<string>,\n", ""),
        ("webhook-transform.wit", "world webhook-transform {", "world webhook-transformer {"),
    ] {
        assert!(next(file, from, to).is_some(), "{file}: {to:?}");
    }
}

#[tokio::test]
async fn components_of_every_published_version_pass() {
    let harness = Harness::new(HarnessOptions::default()).unwrap();
    for (version, folder) in published() {
        let report = harness.run_folder(&folder.join("components")).await.unwrap();
        assert!(report.passed(), "{version:?}: {report:#?}");
        let cases = report.plugins.iter().map(|plugin| plugin.cases.as_ref().map_or(0, Vec::len));
        assert!(report.plugins.len() >= 10 && cases.min() >= Some(3), "{version:?}: {report:#?}");
    }
}
