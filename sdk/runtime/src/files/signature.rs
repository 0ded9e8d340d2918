//! The signature beside a source: the file of the same name with one more ending, as `cosign sign-blob` is told to
//! write, or as `claimsmith plugin pull` writes it.

use super::{ReadError, read_file};
use std::io;
use std::path::{Path, PathBuf};

/// The largest signature that is read, in bytes.
pub const MAX_SIGNATURE_BYTES: usize = 64 << 10;

/// What a signature's file adds to the name of its source, in the order in which they are looked for.
pub const SIGNATURE_ENDINGS: [&str; 4] = [".registry.json", ".sigstore.json", ".bundle", ".sig"];

/// A signature's file and its bytes.
pub type FoundSignature = (PathBuf, Vec<u8>);

/// The signature of a source, with the path of its file; the first there is. `None` if there is none.
pub fn read_signature(source: &Path) -> Result<Option<FoundSignature>, (PathBuf, ReadError)> {
    for ending in SIGNATURE_ENDINGS {
        let mut path = source.as_os_str().to_owned();
        path.push(ending);
        let path = PathBuf::from(path);
        match read_file(&path, MAX_SIGNATURE_BYTES) {
            Ok(bytes) => return Ok(Some((path, bytes))),
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err((path, error)),
        }
    }
    Ok(None)
}
