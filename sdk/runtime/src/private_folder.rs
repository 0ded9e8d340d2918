//! Folders whose files are trusted, because no other user can write them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Creates the folder, readable and writable by this user alone. Returns its absolute path.
pub(crate) fn private_folder(folder: &Path) -> io::Result<PathBuf> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    folder.canonicalize()
}
