//! The cost of verifying a password against a stored hash, in the unit of [`PasswordHash::work`].

use crate::documents::user::PasswordAlgorithm;
use crate::password_hash::PasswordHash;

pub use crate::password_hash::MAX_WORK;

/// The work of verifying a hash; 0 if it is malformed, or needs so much that it is not verified.
#[must_use]
pub fn of(digest: &str, algorithm: PasswordAlgorithm) -> i64 {
    let work = PasswordHash::parse(digest, algorithm).ok().and_then(|hash| i64::try_from(hash.work()).ok());
    work.filter(|work| *work <= MAX_WORK).unwrap_or_default()
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
