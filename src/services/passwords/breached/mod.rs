//! Breached passwords: a set of passwords from data breaches that users may not choose. It is a file that the operator
//! builds beforehand, so that no other server is queried when a password is chosen.

pub mod build;
mod file;
mod filter;
mod source;

pub use build::{BuildOptions, MAX_BITS_PER_ENTRY, MIN_BITS_PER_ENTRY, build};
pub use file::{FileError, Summary};

use filter::BloomFilter;
use sha1::{Digest as _, Sha1};
use std::path::Path;

/// A set of breached passwords, in memory.
pub struct BreachedPasswords {
    filter: BloomFilter,
    summary: Summary,
}

impl BreachedPasswords {
    /// Reads the file that `build` made, in full, so never call it on a thread that answers requests.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let (summary, filter) = file::read(path)?;
        Ok(Self { filter, summary })
    }

    /// What was put in.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Whether this password is in the set. May be true for a few other passwords (false positives), but never misses
    /// one.
    pub(crate) fn contains(&self, password: &str) -> bool {
        self.filter.contains(&Sha1::digest(password).into())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::filter::Digest;
    use super::*;
    use data_encoding::HEXUPPER;
    use std::fs;

    /// How many passwords the range files have.
    const COUNT: usize = 5_000;

    fn digest(password: &str) -> Digest {
        Sha1::digest(password).into()
    }

    /// Range files of `password 0` and so on; the count of each is its number.
    fn range_files(folder: &Path) {
        fs::create_dir(folder).unwrap();
        for number in 0..COUNT {
            let hex = HEXUPPER.encode(&digest(&format!("password {number}")));
            let (prefix, suffix) = hex.split_at(5);
            let path = folder.join(prefix);
            let before = fs::read_to_string(&path).unwrap_or_default();
            fs::write(&path, format!("{before}{suffix}:{number}\r\n")).unwrap();
        }
    }

    #[test]
    fn nothing_that_was_put_in_is_missed_and_little_else_is_found() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("ranges"), scratch.path().join("breached"));
        range_files(&from);
        let summary = build(&BuildOptions { from: &from, to: &to, min_count: 100, bits_per_entry: 12 }).unwrap();
        assert_eq!((summary.entries, summary.min_count), (COUNT as u64 - 100, 100));
        let breached = BreachedPasswords::load(&to).unwrap();
        assert_eq!(breached.summary(), summary);
        let missed = (100..COUNT).filter(|number| !breached.contains(&format!("password {number}"))).count();
        assert_eq!(missed, 0);
        // One of 322 is expected; far fewer than twice as many.
        let found = (0..COUNT).filter(|number| breached.contains(&format!("other {number}"))).count();
        assert!(found < COUNT / 161, "{found}");
        let rare = (0..100).filter(|number| breached.contains(&format!("password {number}"))).count();
        assert!(rare < 10, "those that were seen too rarely are left out: {rare}");
        // The same files give the same filter, independent of the order in which they are read.
        let again = scratch.path().join("again");
        build(&BuildOptions { from: &from, to: &again, min_count: 100, bits_per_entry: 12 }).unwrap();
        assert_eq!(fs::read(&to).unwrap(), fs::read(&again).unwrap());
        let left: Vec<_> = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 3, "no draft is left: {left:?}");
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("flat.txt"), scratch.path().join("breached"));
        fs::write(&from, format!("{}:3\n", HEXUPPER.encode(&digest("password")))).unwrap();
        build(&BuildOptions { from: &from, to: &to, min_count: 1, bits_per_entry: 12 }).unwrap();
        let whole = fs::read(&to).unwrap();
        let refusal = |bytes: &[u8]| {
            fs::write(&to, bytes).unwrap();
            BreachedPasswords::load(&to).err()
        };
        assert!(refusal(&whole).is_none());
        for byte in 0..whole.len() {
            let mut changed = whole.clone();
            changed[byte] ^= 1;
            assert!(refusal(&changed).is_some(), "byte {byte}");
        }
        for length in 0..whole.len() {
            assert!(refusal(&whole[..length]).is_some(), "{length} bytes");
        }
        assert!(matches!(refusal(&[&*whole, b"x"].concat()), Some(FileError::Damaged)));
        assert!(matches!(refusal(b"not a filter at all"), Some(FileError::Foreign)));
        let mut newer = whole.clone();
        newer[8] = 2;
        assert!(matches!(refusal(&newer), Some(FileError::Version(2))));
        assert!(matches!(BreachedPasswords::load(scratch.path()), Err(FileError::Foreign)));
        assert!(matches!(BreachedPasswords::load(&scratch.path().join("gone")), Err(FileError::Io(_))));
    }
}
