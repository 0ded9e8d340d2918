//! Builds the file of a filter. The hashes are read twice: to count them, which determines the size of the filter, and
//! to insert them. So it needs no more memory than the filter.

use super::file::{self, FileError, Summary};
use super::source::{SourceError, read_each};
use std::path::Path;

/// Below that, a filter has a false positive for every seventh password.
pub const MIN_BITS_PER_ENTRY: u32 = 4;
/// Beyond that, the rate of false positives is one in millions.
pub const MAX_BITS_PER_ENTRY: u32 = 32;

/// What to build.
pub struct BuildOptions<'a> {
    /// The folder of range files, or the flat file.
    pub from: &'a Path,
    /// The file to write.
    pub to: &'a Path,
    /// Passwords that were seen less often are left out.
    pub min_count: u64,
    /// The size of the filter for each password.
    pub bits_per_entry: u32,
}

/// The reason that there is no filter.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The hashes cannot be read.
    #[error("the digests cannot be read")]
    Source(#[from] SourceError),
    /// There are no hashes.
    #[error("there are no digests")]
    Empty,
    /// The two readings differ.
    #[error("the digests changed while they were read")]
    Changed,
    /// The filter cannot be made or written.
    #[error("the filter cannot be written")]
    File(#[from] FileError),
}

/// Makes the file.
pub fn build(options: &BuildOptions<'_>) -> Result<Summary, BuildError> {
    let mut entries = 0_u64;
    read_each(options.from, options.min_count, |_| entries += 1)?;
    if entries == 0 {
        return Err(BuildError::Empty);
    }
    let bits_per_entry = options.bits_per_entry.clamp(MIN_BITS_PER_ENTRY, MAX_BITS_PER_ENTRY);
    let size = entries.saturating_mul(bits_per_entry.into()).div_ceil(8);
    let min_count = options.min_count.max(1);
    let summary = Summary { entries, min_count, size, hashes: hashes(bits_per_entry) };
    let mut filter = summary.filter()?;
    let mut inserted = 0;
    read_each(options.from, options.min_count, |digest| {
        filter.insert(digest);
        inserted += 1;
    })?;
    if inserted != entries {
        return Err(BuildError::Changed);
    }
    file::write(options.to, summary, &filter)?;
    Ok(summary)
}

/// The number of bits per password with the fewest false positives: the bits per entry times the natural logarithm of
/// two.
fn hashes(bits_per_entry: u32) -> u32 {
    (bits_per_entry * 693 + 500) / 1000
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use std::fs;

    #[test]
    fn as_many_bits_as_are_best() {
        for (bits_per_entry, expected) in [(4, 3), (8, 6), (12, 8), (16, 11), (32, 22)] {
            assert_eq!(hashes(bits_per_entry), expected);
        }
    }

    #[test]
    fn without_digests_nothing_is_written() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("ranges"), scratch.path().join("breached"));
        fs::create_dir(&from).unwrap();
        let made = || build(&BuildOptions { from: &from, to: &to, min_count: 2, bits_per_entry: 12 });
        assert!(matches!(made(), Err(BuildError::Empty)));
        fs::write(from.join("5BAA6"), "1E4C9B93F3F0682250B6CF8331B7EE68FD8:1").unwrap();
        assert!(matches!(made(), Err(BuildError::Empty)));
        fs::write(from.join("5BAA7"), "nothing").unwrap();
        assert!(matches!(made(), Err(BuildError::Source(_))));
        assert!(!to.exists());
    }
}
