//! Runs the corpus of the fuzz targets through the same functions, as regression tests. A file whose name begins with
//! `accepted` or `refused` must be just that.

use claimsmith_test_support::fuzzed::{TARGETS, Target};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// The stack of a thread that serves requests.
const STACK: usize = 2 << 20;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// A target without a program is never fuzzed, and one without a corpus is not run here.
#[test]
fn every_fuzz_target_has_a_program_and_a_corpus() {
    let files = |folder: &str| -> BTreeSet<String> {
        let paths = fs::read_dir(fuzz().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        paths.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    let package = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let programs = package.split("[[bin]]\nname = \"").skip(1).filter_map(|rest| rest.split('"').next());
    let programs: BTreeSet<String> = programs.map(str::to_owned).collect();
    let targets = BTreeSet::from(TARGETS.map(|(name, _)| name.to_owned()));
    assert_eq!([files("fuzz_targets"), files("corpus"), programs], [targets.clone(), targets.clone(), targets]);
}

#[test]
fn the_corpus_of_the_fuzz_targets_breaks_nothing() {
    for (name, target) in TARGETS {
        let folder = fuzz().join("corpus").join(name);
        let run_all = move || run_all(&folder, target);
        let results = thread::Builder::new().stack_size(STACK).spawn(run_all).unwrap().join();
        let [accepted, refused] = results.unwrap_or_else(|_| panic!("{name}"));
        assert!(accepted > 0 && refused > 0, "{name}: {accepted} accepted, {refused} refused");
    }
}

fn run_all(folder: &Path, target: Target) -> [usize; 2] {
    let mut counts = [0, 0];
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let accepted = target(&fs::read(&path).unwrap());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.starts_with(if accepted { "refused" } else { "accepted" }), "{name}: accepted is {accepted}");
        counts[usize::from(!accepted)] += 1;
    }
    counts
}
