//! The default plugins of a new server: the binary contains them, and its first start writes them where no plugin folder
//! exists, so that a binary alone is enough to begin.

use claimsmith_management::plugins::default_files;
use std::path::Path;
use std::{fs, io};

/// Creates the plugin folder with the default plugins. An existing folder stays as it is, an empty one too. Without the
/// folder the server works, so a failure is a warning.
pub(crate) fn write_if_absent(folder: &Path) {
    if folder.exists() {
        return;
    }
    let shown = folder.display();
    match write(folder) {
        Ok(()) => tracing::info!(folder = %shown, "wrote the default plugins"),
        // Another process of the same folder was faster.
        Err(_) if folder.exists() => {}
        Err(error) => tracing::warn!("cannot write the default plugins to {shown} (plugins.dir): {error}"),
    }
}

/// Writes into a hidden folder beside it, which then gets the name: the folder is never there in part.
fn write(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let unfinished = tempfile::Builder::new().prefix(".plugins-").tempdir_in(parent)?;
    for (name, text) in default_files() {
        fs::write(unfinished.path().join(name), text)?;
    }
    fs::rename(unfinished.path(), folder)
}
