//! Finds and reads the recordings of a plugin.

use crate::remote::Usage;
use crate::terminal::program;
use anyhow::Context as _;
use claimsmith_harness::{Sample, load_recording};
use std::path::{Path, PathBuf};

/// The most samples of one replay: all of ten recordings.
const MAX_SAMPLES: usize = 10_000;

/// One file.
pub(super) struct Recording {
    /// Its name.
    pub(super) file: String,
    pub(super) samples: Vec<Sample>,
}

/// The recordings of this plugin in a folder, or the one of a file.
pub(super) fn load(path: &Path, plugin: &str) -> anyhow::Result<Vec<Recording>> {
    let meta = std::fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let files = if meta.is_dir() { of_plugin(path, plugin)? } else { vec![path.to_owned()] };
    let mut recordings = Vec::new();
    let mut count = 0;
    for path in files {
        let samples = load_recording(&path)?;
        count += samples.len();
        anyhow::ensure!(count <= MAX_SAMPLES, "there are more than {MAX_SAMPLES} samples: name one file");
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        recordings.push(Recording { file, samples });
    }
    anyhow::ensure!(count > 0, "{} contains no sample: nothing was recorded yet", path.display());
    Ok(recordings)
}

/// `NAME-ID.ndjson`, by name.
fn of_plugin(folder: &Path, plugin: &str) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = || format!("{} cannot be listed", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_of(&name, plugin) {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Usage::new(format!(
            "{} contains no recording of {plugin}: {} plugin recordings pull {plugin} --to {}",
            folder.display(),
            program(),
            folder.display()
        ))
        .into());
    }
    found.sort();
    Ok(found)
}

/// Ids have no hyphen, and names of plugins may.
fn is_of(file: &str, plugin: &str) -> bool {
    let id = file.strip_suffix(".ndjson").and_then(|stem| stem.strip_prefix(plugin)?.strip_prefix('-'));
    id.is_some_and(|id| !id.is_empty() && !id.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_file_belongs_to_one_plugin() {
        let files = ["team-q3v8.ndjson", "team-x-q3v8.ndjson", "team-.ndjson", ".team-q3v8.ndjson.part", "team.ndjson"];
        let of = |plugin: &str| files.into_iter().filter(|file| is_of(file, plugin)).collect::<Vec<_>>();
        assert_eq!((of("team"), of("team-x")), (vec!["team-q3v8.ndjson"], vec!["team-x-q3v8.ndjson"]));
    }
}
