//! A Bloom filter of SHA-1 hashes: it reports every inserted hash, and few others. The bits of a hash are as good as
//! random, so they choose the places themselves and nothing is hashed again.

use std::array;
use std::collections::TryReserveError;

/// A SHA-1 hash.
pub(super) type Digest = [u8; 20];

/// The set.
pub(super) struct BloomFilter {
    bytes: Vec<u8>,
    /// How many bits one hash sets.
    hashes: u32,
}

impl BloomFilter {
    /// An empty one; fails if there is not enough memory.
    pub(super) fn empty(size: usize, hashes: u32) -> Result<Self, TryReserveError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size)?;
        bytes.resize(size, 0);
        Ok(Self { bytes, hashes })
    }

    /// Inserts a hash.
    pub(super) fn insert(&mut self, digest: &Digest) {
        for (byte, bit) in places(digest, self.hashes, self.bytes.len()) {
            if let Some(byte) = self.bytes.get_mut(byte) {
                *byte |= bit;
            }
        }
    }

    /// Whether a hash was inserted; sometimes also true for others (false positives).
    pub(super) fn contains(&self, digest: &Digest) -> bool {
        places(digest, self.hashes, self.bytes.len())
            .all(|(byte, bit)| self.bytes.get(byte).is_some_and(|byte| byte & bit != 0))
    }

    /// The bits, as they are stored.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, to be filled from a file.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// The bits of a hash: a byte, and the bit within it (double hashing). The first bytes are not used: those of one range
/// file begin alike.
fn places(digest: &Digest, hashes: u32, size: usize) -> impl Iterator<Item = (usize, u8)> {
    let start = u64::from_be_bytes(array::from_fn(|index| digest[index + 4]));
    // Odd, so that the places differ.
    let step = u64::from_be_bytes(array::from_fn(|index| digest[index + 12])) | 1;
    (0..u64::from(hashes)).map(move |round| {
        let mixed = start.wrapping_add(round.wrapping_mul(step));
        // From all numbers of 64 bits to those below the number of bits, in proportion.
        let place = (u128::from(mixed) * (size as u128 * 8)) >> 64;
        let byte = usize::try_from(place / 8).unwrap_or(usize::MAX);
        (byte, 1_u8 << (place % 8))
    })
}
