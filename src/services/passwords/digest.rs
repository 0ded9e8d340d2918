//! Argon2 hashes, computed in memory that each thread of the pool reuses from one hash to the next.
//!
//! If allocated for each hash, blocks of 19 MiB fragment the heap: with glibc's allocator the server grew by some 200
//! MiB.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::password_hash::{Error, Result};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::cell::RefCell;

/// Maximum KiB that a thread keeps. Allocators return larger blocks to the system as soon as they are freed.
const MAX_KEPT_KIB: usize = 32 << 10;

thread_local! {
    static KEPT: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// Fills `output` with the hash of a password.
pub(super) fn fill(argon2: &Argon2<'_>, password: &[u8], salt: &[u8], output: &mut [u8]) -> argon2::Result<()> {
    let count = argon2.params().block_count();
    if count > MAX_KEPT_KIB {
        return argon2.hash_password_into(password, salt, output);
    }
    KEPT.with_borrow_mut(|blocks| {
        if let Some(missing) = count.checked_sub(blocks.len()) {
            blocks.try_reserve_exact(missing).map_err(|_| argon2::Error::OutOfMemory)?;
            blocks.resize(count, Block::new());
        }
        argon2.hash_password_into_with_memory(password, salt, output, blocks)
    })
}

/// A new Argon2id hash of a password, with the parameters that verify it.
pub(super) fn make(params: Params, password: &[u8], salt: &[u8]) -> Result<PasswordHash> {
    let (algorithm, version) = (Algorithm::Argon2id, Version::V0x13);
    let text = ParamsString::try_from(&params)?;
    let output = output(&Argon2::new(algorithm, version, params), password, salt)?;
    Ok(PasswordHash {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params: text,
        salt: Some(Salt::new(salt)?),
        hash: Some(output),
    })
}

fn output(argon2: &Argon2<'_>, password: &[u8], salt: &[u8]) -> Result<Output> {
    let mut bytes = [0; Output::MAX_LENGTH];
    let length = argon2.params().output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let bytes = bytes.get_mut(..length).ok_or(Error::OutputSize)?;
    fill(argon2, password, salt, bytes)?;
    Ok(Output::new(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::PasswordVerifier;

    #[test]
    fn digests_are_right_in_memory_that_is_kept() -> std::result::Result<(), Box<dyn std::error::Error>> {
        for kib in [64, 19 << 10, 8, 40 << 10, 64] {
            let digest = make(Params::new(kib, 1, 1, None)?, b"p4ss", b"0123456789abcdef")?;
            assert!(Argon2::default().verify_password(b"p4ss", &digest).is_ok(), "{kib}");
            assert!(Argon2::default().verify_password(b"P4ss", &digest).is_err(), "{kib}");
        }
        assert_eq!(KEPT.with_borrow(Vec::len), 19 << 10);
        Ok(())
    }
}
