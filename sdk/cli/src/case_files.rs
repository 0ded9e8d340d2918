//! Adds golden cases to the file of a plugin. The rest of the file stays as the author wrote it.

use anyhow::Context as _;
use claimsmith_harness::load_cases;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Adds at most `count` of these cases, and returns how many were added. A case whose name is in the file already is left
/// out, and so is one with the input of another one.
pub(crate) fn add(path: &Path, new: impl IntoIterator<Item = Value>, count: usize) -> anyhow::Result<usize> {
    let mut names: BTreeSet<String> = load_cases(path)?.into_iter().flatten().map(|case| case.name).collect();
    let mut cases = raw_cases(path)?;
    let mut inputs = Vec::new();
    let mut added = 0;
    for case in new {
        if added == count {
            break;
        }
        let name = case.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let input = case.get("input").cloned().unwrap_or_default();
        // Many users have the same input once it is redacted.
        if inputs.contains(&input) {
            continue;
        }
        inputs.push(input);
        if names.insert(name) {
            cases.push(raw(&case)?);
            added += 1;
        }
    }
    if added > 0 {
        write(path, &cases)?;
    }
    Ok(added)
}

/// The cases that are there, as they are written.
fn raw_cases(path: &Path) -> anyhow::Result<Vec<Box<RawValue>>> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// A case on lines of its own, at the depth of a list.
fn raw(case: &Value) -> anyhow::Result<Box<RawValue>> {
    let text = serde_json::to_string_pretty(case)?.replace('\n', "\n  ");
    Ok(RawValue::from_string(text)?)
}

/// The previous file is replaced only when the new one is complete.
fn write(path: &Path, cases: &[Box<RawValue>]) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(cases)? + "\n";
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let keep = || {
        // As other files of a project: whoever may read the folder may read it.
        let permissions = Permissions::from_mode(0o644);
        let mut half = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
        half.write_all(text.as_bytes())?;
        half.persist(path).map_err(|error| error.error)
    };
    keep().map(drop).with_context(|| format!("{} cannot be written", path.display()))
}
