//! The file of a filter: a header, the bits, and a SHA-256 hash of both. Numbers are little-endian. It is written as a
//! draft that replaces the file once it is complete.

use super::filter::BloomFilter;
use claimsmith_domain::random::{self, RandomError};
use sha2::{Digest, Sha256};
use std::collections::TryReserveError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// What every such file begins with.
const MAGIC: [u8; 8] = *b"CSBREACH";
/// The version of the format: the content of the header, and which bits a hash sets.
const VERSION: u32 = 1;
/// Magic, version, hashes, entries, minimum count, bytes of the filter.
const HEADER_BYTES: usize = 40;
const CHECKSUM_BYTES: usize = 32;
/// More than any filter that is built here has.
const MAX_HASHES: u32 = 32;

/// What is in a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many passwords.
    pub entries: u64,
    /// The minimum count of each of them.
    pub min_count: u64,
    /// How many bytes its bits take, in the file and in memory.
    pub size: u64,
    /// How many bits one password sets.
    pub hashes: u32,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a filter.
    #[error("it is no filter of breached passwords; `claimsmith breached-passwords build` makes one")]
    Foreign,
    /// It is of another version.
    #[error("its format is of version {0}, which this program does not read: build it again")]
    Version(u32),
    /// It is damaged.
    #[error("it is damaged or not whole: build or copy it again")]
    Damaged,
    /// There is not enough memory.
    #[error("it needs {bytes} bytes of memory")]
    Memory {
        /// How many bytes.
        bytes: u64,
        /// The allocator's error.
        source: TryReserveError,
    },
    /// No name for the draft.
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl Summary {
    fn header(self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&self.hashes.to_le_bytes());
        header[16..24].copy_from_slice(&self.entries.to_le_bytes());
        header[24..32].copy_from_slice(&self.min_count.to_le_bytes());
        header[32..].copy_from_slice(&self.size.to_le_bytes());
        header
    }

    fn parse(header: &[u8; HEADER_BYTES]) -> Result<Self, FileError> {
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|index| header[at + index]));
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| header[at + index]));
        if header[..8] != MAGIC {
            return Err(FileError::Foreign);
        }
        if short(8) != VERSION {
            return Err(FileError::Version(short(8)));
        }
        let summary = Self { hashes: short(12), entries: long(16), min_count: long(24), size: long(32) };
        let is_possible = (1..=MAX_HASHES).contains(&summary.hashes) && summary.size > 0;
        if is_possible { Ok(summary) } else { Err(FileError::Damaged) }
    }

    /// An empty filter of this size.
    pub(super) fn filter(self) -> Result<BloomFilter, FileError> {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        BloomFilter::empty(size, self.hashes).map_err(|source| FileError::Memory { bytes: self.size, source })
    }
}

/// Reads a file. Never allocates more memory than the file has bytes.
pub(super) fn read(path: &Path) -> Result<(Summary, BloomFilter), FileError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(FileError::Foreign);
    }
    let mut file = File::open(path)?;
    let mut header = [0; HEADER_BYTES];
    if metadata.len() < (HEADER_BYTES + CHECKSUM_BYTES) as u64 {
        return Err(FileError::Foreign);
    }
    file.read_exact(&mut header)?;
    let summary = Summary::parse(&header)?;
    let expected = summary.size.checked_add((HEADER_BYTES + CHECKSUM_BYTES) as u64);
    if expected != Some(metadata.len()) {
        return Err(FileError::Damaged);
    }
    let mut filter = summary.filter()?;
    file.read_exact(filter.bytes_mut())?;
    let mut checksum = [0; CHECKSUM_BYTES];
    file.read_exact(&mut checksum)?;
    if checksum_of(&header, &filter) == checksum { Ok((summary, filter)) } else { Err(FileError::Damaged) }
}

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, summary: Summary, filter: &BloomFilter) -> Result<(), FileError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| io::Error::other("this is no name of a file"))?;
    let draft = folder.join(format!(".{}.{}", name.to_string_lossy(), random::id(8)?));
    let written = write_draft(&draft, summary, filter).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The rest of it is useless.
        let _ = fs::remove_file(&draft);
    }
    written?;
    Ok(File::open(folder)?.sync_all()?)
}

fn write_draft(draft: &Path, summary: Summary, filter: &BloomFilter) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(draft)?;
    let header = summary.header();
    file.write_all(&header)?;
    file.write_all(filter.bytes())?;
    file.write_all(&checksum_of(&header, filter))?;
    file.sync_all()
}

fn checksum_of(header: &[u8; HEADER_BYTES], filter: &BloomFilter) -> [u8; CHECKSUM_BYTES] {
    Sha256::new().chain_update(header).chain_update(filter.bytes()).finalize().into()
}
