//! The cost of verifying a password against a hash, comparable between algorithms: KiB of memory times passes for
//! Argon2, and what takes about as long for bcrypt. The other algorithms cost almost nothing.

use crate::documents::user::PasswordAlgorithm;

/// Maximum work: about a second of one core. A hash that needs more is never verified.
pub const MAX_WORK: i64 = 1 << 20;
/// Each step of the cost doubles the work of bcrypt: at cost 14 it is as much as a pass over a GiB.
const BCRYPT_WORK: i64 = 64;
/// Maximum number of digits of a number in a hash.
const MAX_DIGITS: usize = 10;

/// The work of verifying a hash; 0 if it is malformed, or needs so much that it is not verified.
#[must_use]
pub fn of(digest: &str, algorithm: PasswordAlgorithm) -> i64 {
    let work = match algorithm {
        PasswordAlgorithm::Argon2id | PasswordAlgorithm::Argon2i | PasswordAlgorithm::Argon2d => argon2(digest),
        PasswordAlgorithm::Bcrypt => bcrypt(digest),
        PasswordAlgorithm::Sha1 | PasswordAlgorithm::Sha256 | PasswordAlgorithm::Md5 | PasswordAlgorithm::Legacy => {
            None
        }
    };
    work.filter(|work| (0..=MAX_WORK).contains(work)).unwrap_or_default()
}

/// `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
fn argon2(digest: &str) -> Option<i64> {
    let parameters = digest.split('$').find(|part| part.starts_with("m="))?;
    let number = |name: &str| number(parameters.split(',').find_map(|one| one.strip_prefix(name))?);
    number("m=")?.checked_mul(number("t=")?)
}

/// `$2b$14$salt and hash`.
fn bcrypt(digest: &str) -> Option<i64> {
    let mut parts = digest.strip_prefix('$')?.split('$');
    parts.next().filter(|version| version.starts_with('2'))?;
    let cost = parts.next().filter(|cost| cost.len() == 2).and_then(number)?;
    BCRYPT_WORK.checked_shl(u32::try_from(cost).ok()?).filter(|work| *work > 0)
}

fn number(digits: &str) -> Option<i64> {
    let is_number = digits.len() <= MAX_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PasswordAlgorithm as Of;

    #[test]
    fn work_is_comparable_between_algorithms() {
        let table = [
            (Of::Argon2id, "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", 38_912),
            (Of::Argon2i, "$argon2i$m=65536,t=16,p=4$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", MAX_WORK),
            (Of::Argon2d, "$argon2d$v=19$m=131072,t=9,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", 0),
            (Of::Argon2d, "$argon2d$v=19$m=4294967295,t=4294967295,p=1$c29tZXNhbHQ$AAAA", 0),
            (Of::Argon2id, "$argon2id$v=19$m=99999999999,t=1,p=1$c29tZXNhbHQ$AAAA", 0),
            (Of::Argon2id, "nonsense", 0),
            (Of::Bcrypt, "$2b$04$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", 1_024),
            (Of::Bcrypt, "$2y$14$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", MAX_WORK),
            (Of::Bcrypt, "$2b$15$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", 0),
            (Of::Bcrypt, "$2b$99$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", 0),
            (Of::Bcrypt, "nonsense", 0),
            (Of::Md5, "5f4dcc3b5aa765d61d8327deb882cf99", 0),
            (Of::Legacy, r#"["md5", ["@"], "5f4dcc3b5aa765d61d8327deb882cf99"]"#, 0),
        ];
        for (algorithm, digest, expected) in table {
            assert_eq!(of(digest, algorithm), expected, "{algorithm:?} {digest}");
        }
    }
}
