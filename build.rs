//! Names the commit of a release build for `claimsmith --version`: that of `BUILD_COMMIT`, or else of the git repository.
//! Without either, as in an unpacked archive, the version names none.

use std::env;
use std::path::Path;
use std::process::Command;

/// Characters of a commit that are shown.
const SHOWN: usize = 12;

fn main() {
    println!("cargo::rerun-if-env-changed=BUILD_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let given = env::var("BUILD_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = given.or_else(committed).filter(|commit| is_commit(commit)) {
        // Not a name that begins with CLAIMSMITH_: `cargo run` gives it to the server, too, which refuses unknown settings.
        println!("cargo::rustc-env=BUILT_FROM_COMMIT={}", commit.chars().take(SHOWN).collect::<String>());
    }
}

/// The commit of the repository, in the profile of releases. In others, every commit would build the server and its
/// tests again.
fn committed() -> Option<String> {
    let is_release = Path::new(&env::var_os("OUT_DIR")?).iter().any(|part| part == "release");
    if !is_release {
        return None;
    }
    // The log of the checked-out branch grows with every commit, also where the commit is of another branch.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

fn is_commit(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
