//! The maximum cost of an imported password hash: about a second of one CPU core and 128 MiB. A more expensive hash is
//! not imported, and one that was imported before is not verified. A hash that takes longer on this machine than the
//! answer to a wrong password is not imported either.

use claimsmith_domain::password_hash::{MAX_WORK, PasswordHash};

/// Each step doubles the work.
const MAX_BCRYPT_COST: u32 = 14;
/// KiB.
const MAX_MEMORY_KIB: u32 = 128 << 10;
/// Passes over the memory.
const MAX_ARGON2_PASSES: u32 = 64;
/// Lanes of the memory.
const MAX_ARGON2_LANES: u32 = 16;

/// A hash is more expensive than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooCostly {
    /// Bcrypt's cost.
    #[error("its bcrypt cost is {0}, and at most {MAX_BCRYPT_COST} is accepted")]
    Bcrypt(u32),
    /// The memory of Argon2 or scrypt.
    #[error("it takes {0} KiB of memory, and at most {MAX_MEMORY_KIB} are accepted")]
    Memory(u64),
    /// Argon2's passes.
    #[error("it takes {0} passes, and at most {MAX_ARGON2_PASSES} are accepted")]
    Passes(u32),
    /// The iterations of PBKDF2, and how many are accepted for a hash of this length.
    #[error("it takes {0} iterations, and at most {1} are accepted")]
    Iterations(u64, u64),
    /// All of it together.
    #[error("it takes as long as Argon2 takes for {0} KiB, and at most {MAX_WORK} are accepted")]
    Work(u64),
    /// Argon2's lanes.
    #[error("it takes {0} lanes, and at most {MAX_ARGON2_LANES} are accepted")]
    Lanes(u32),
    /// Milliseconds on this machine.
    #[error("it takes about {0} ms on this server, longer than the answer to a wrong password may take")]
    Time(u64),
}

/// Refuses a hash that is too expensive.
pub(super) fn check(hash: &PasswordHash) -> Result<(), TooCostly> {
    match hash {
        PasswordHash::Argon2(hash) => argon2(hash.memory, hash.passes, hash.lanes),
        PasswordHash::Bcrypt { cost, .. } if *cost > MAX_BCRYPT_COST => Err(TooCostly::Bcrypt(*cost)),
        PasswordHash::Scrypt(scrypt) | PasswordHash::FirebaseScrypt { scrypt, .. }
            if scrypt.memory_kib() > MAX_MEMORY_KIB.into() =>
        {
            Err(TooCostly::Memory(scrypt.memory_kib()))
        }
        PasswordHash::Pbkdf2(pbkdf2) if u64::from(pbkdf2.iterations.get()) > pbkdf2.max_iterations() => {
            Err(TooCostly::Iterations(pbkdf2.iterations.get().into(), pbkdf2.max_iterations()))
        }
        _ if hash.work() > MAX_WORK.unsigned_abs() => Err(TooCostly::Work(hash.work())),
        _ => Ok(()),
    }
}

fn argon2(memory: u32, passes: u32, lanes: u32) -> Result<(), TooCostly> {
    let work = u64::from(memory) * u64::from(passes);
    if memory > MAX_MEMORY_KIB {
        Err(TooCostly::Memory(memory.into()))
    } else if passes > MAX_ARGON2_PASSES {
        Err(TooCostly::Passes(passes))
    } else if work > MAX_WORK.unsigned_abs() {
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
    use claimsmith_domain::documents::user::PasswordAlgorithm as Of;
    use claimsmith_domain::password_hash::UnreadableHash;

    /// Base64 of 16 and of 32 bytes.
    const SALT: &str = "AAAAAAAAAAAAAAAAAAAAAA";
    const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    #[test]
    fn bounds_are_obeyed_and_not_narrower() -> Result<(), UnreadableHash> {
        let bcrypt = |cost: u32| format!("$2b${cost:02}$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K");
        let argon2 = |m: u32, t: u32, p: u32| format!("$argon2id$v=19$m={m},t={t},p={p}$c29tZXNhbHQ$AAAAAAAAAAAAAAAA");
        let scrypt = |n: u32, r: u32, p: u32| format!("$scrypt$ln={n},r={r},p={p}${SALT}${KEY}");
        let pbkdf2 = |iterations: u32| format!("pbkdf2_sha256${iterations}$salt${KEY}");
        let keycloak = |iterations: u32| {
            let (salt, value) = (format!("{SALT}=="), format!("{KEY}{KEY}"));
            format!(r#"{{"algorithm":"pbkdf2-sha256","iterations":{iterations},"salt":"{salt}","value":"{value}"}}"#)
        };
        let crypt = |rounds: u32| format!("$6$rounds={rounds}$salt${}", ".".repeat(86));
        let phpass = |log: char| format!("$P${log}saltsalt{}", ".".repeat(22));
        let table = [
            (bcrypt(14), Ok(())),
            (bcrypt(15), Err(TooCostly::Bcrypt(15))),
            (bcrypt(31), Err(TooCostly::Bcrypt(31))),
            (argon2(131_072, 8, 1), Ok(())),
            (argon2(19_456, super::super::cost::MAX_PASSES, 1), Ok(())),
            (argon2(65_536, 16, 16), Ok(())),
            (argon2(131_073, 1, 1), Err(TooCostly::Memory(131_073))),
            (argon2(8, 65, 1), Err(TooCostly::Passes(65))),
            (argon2(8, 4_294_967_295, 1), Err(TooCostly::Passes(4_294_967_295))),
            (argon2(131_072, 9, 1), Err(TooCostly::Work(1_179_648))),
            (argon2(1024, 1, 17), Err(TooCostly::Lanes(17))),
            (scrypt(17, 8, 1), Ok(())),
            (scrypt(17, 8, 2), Ok(())),
            (scrypt(17, 8, 3), Err(TooCostly::Work(1_179_648))),
            (scrypt(18, 8, 1), Err(TooCostly::Memory(262_144))),
            (scrypt(1, 8, 100_000_000), Err(TooCostly::Work(600_000_000))),
            (scrypt(63, 4_294_967, 1), Err(TooCostly::Memory(u64::MAX >> 10))),
            (pbkdf2(2_097_152), Ok(())),
            (pbkdf2(2_097_153), Err(TooCostly::Iterations(2_097_153, 2_097_152))),
            (pbkdf2(4_294_967_295), Err(TooCostly::Iterations(4_294_967_295, 2_097_152))),
            (keycloak(1_048_576), Ok(())),
            (keycloak(1_048_577), Err(TooCostly::Iterations(1_048_577, 1_048_576))),
            (crypt(838_860), Ok(())),
            (crypt(838_861), Err(TooCostly::Work(1_048_577))),
            (crypt(999_999_999), Err(TooCostly::Work(1_249_999_999))),
            (phpass('J'), Ok(())),
            (phpass('K'), Err(TooCostly::Work(2_097_152))),
        ];
        for (digest, expected) in table {
            assert_eq!(check(&PasswordHash::parse(&digest, Of::Legacy)?), expected, "{digest}");
        }
        Ok(())
    }
}
