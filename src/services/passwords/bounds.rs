//! The maximum cost of an imported password hash: about a second of one CPU core and 128 MiB. A more expensive hash is
//! not imported, and one that was imported before is not verified. A hash that takes longer on this machine than the
//! answer to a wrong password is not imported either.
//!
//! The other algorithms make one pass over a text whose length is limited.

use argon2::Params;
use argon2::password_hash::phc::PasswordHash;
use bcrypt::HashParts;
use claimsmith_domain::documents::user::PasswordAlgorithm;

/// Each step doubles the work.
const MAX_BCRYPT_COST: u32 = 14;
/// KiB.
const MAX_ARGON2_MEMORY_KIB: u32 = 128 << 10;
/// Passes over the memory.
const MAX_ARGON2_PASSES: u32 = 64;
/// KiB times passes: one pass over a GiB.
const MAX_ARGON2_KIB_PASSES: u64 = 1 << 20;
/// Lanes of the memory.
const MAX_ARGON2_LANES: u32 = 16;

/// A hash is more expensive than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooCostly {
    /// Bcrypt's cost.
    #[error("its bcrypt cost is {0}, and at most {MAX_BCRYPT_COST} is accepted")]
    Bcrypt(u32),
    /// Argon2's memory.
    #[error("it takes {0} KiB of memory, and at most {MAX_ARGON2_MEMORY_KIB} are accepted")]
    Memory(u32),
    /// Argon2's passes.
    #[error("it takes {0} passes, and at most {MAX_ARGON2_PASSES} are accepted")]
    Passes(u32),
    /// Argon2's memory and passes together.
    #[error("it processes {0} KiB in all its passes, and at most {MAX_ARGON2_KIB_PASSES} are accepted")]
    Work(u64),
    /// Argon2's lanes.
    #[error("it takes {0} lanes, and at most {MAX_ARGON2_LANES} are accepted")]
    Lanes(u32),
    /// Milliseconds on this machine.
    #[error("it takes about {0} ms on this server, longer than the answer to a wrong password may take")]
    Time(u64),
}

/// Refuses a hash that is too expensive. A malformed one is accepted here: it is never computed.
pub(super) fn check(digest: &str, algorithm: PasswordAlgorithm) -> Result<(), TooCostly> {
    match algorithm {
        PasswordAlgorithm::Argon2id | PasswordAlgorithm::Argon2i | PasswordAlgorithm::Argon2d => {
            let params = PasswordHash::new(digest).ok().and_then(|hash| Params::try_from(&hash).ok());
            params.map_or(Ok(()), |params| argon2(params.m_cost(), params.t_cost(), params.p_cost()))
        }
        PasswordAlgorithm::Bcrypt => match digest.parse::<HashParts>() {
            Ok(parts) if parts.get_cost() > MAX_BCRYPT_COST => Err(TooCostly::Bcrypt(parts.get_cost())),
            _ => Ok(()),
        },
        PasswordAlgorithm::Sha1 | PasswordAlgorithm::Sha256 | PasswordAlgorithm::Md5 | PasswordAlgorithm::Legacy => {
            Ok(())
        }
    }
}

fn argon2(memory: u32, passes: u32, lanes: u32) -> Result<(), TooCostly> {
    let work = u64::from(memory) * u64::from(passes);
    if memory > MAX_ARGON2_MEMORY_KIB {
        Err(TooCostly::Memory(memory))
    } else if passes > MAX_ARGON2_PASSES {
        Err(TooCostly::Passes(passes))
    } else if work > MAX_ARGON2_KIB_PASSES {
        Err(TooCostly::Work(work))
    } else if lanes > MAX_ARGON2_LANES {
        Err(TooCostly::Lanes(lanes))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PasswordAlgorithm as Of;

    #[test]
    fn bounds_are_obeyed_and_not_narrower() {
        let bcrypt = |cost: u32| format!("$2b${cost:02}$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K");
        let argon2 = |m: u32, t: u32, p: u32| format!("$argon2id$v=19$m={m},t={t},p={p}$c29tZXNhbHQ$AAAAAAAAAAAAAAAA");
        let table = [
            (Of::Bcrypt, bcrypt(14), Ok(())),
            (Of::Bcrypt, bcrypt(15), Err(TooCostly::Bcrypt(15))),
            (Of::Bcrypt, bcrypt(31), Err(TooCostly::Bcrypt(31))),
            (Of::Bcrypt, "nonsense".to_owned(), Ok(())),
            (Of::Argon2id, argon2(131_072, 8, 1), Ok(())),
            (Of::Argon2id, argon2(19_456, super::super::cost::MAX_PASSES, 1), Ok(())),
            (Of::Argon2i, argon2(65_536, 16, 16), Ok(())),
            (Of::Argon2id, argon2(131_073, 1, 1), Err(TooCostly::Memory(131_073))),
            (Of::Argon2d, argon2(8, 65, 1), Err(TooCostly::Passes(65))),
            (Of::Argon2d, argon2(8, 4_294_967_295, 1), Err(TooCostly::Passes(4_294_967_295))),
            (Of::Argon2id, argon2(131_072, 9, 1), Err(TooCostly::Work(1_179_648))),
            (Of::Argon2id, argon2(1024, 1, 17), Err(TooCostly::Lanes(17))),
            (Of::Argon2id, "nonsense".to_owned(), Ok(())),
            (Of::Md5, bcrypt(31), Ok(())),
        ];
        for (algorithm, digest, expected) in table {
            assert_eq!(check(&digest, algorithm), expected, "{digest}");
        }
    }
}
