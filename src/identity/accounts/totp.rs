//! Time-based one-time passwords (RFC 6238): six digits, steps of thirty seconds, HMAC-SHA-1, as all authenticator apps
//! support.

use data_encoding::BASE32_NOPAD;
use totp_rs::{Builder, Secret};

/// The time step of a one-time password, if it is the current one (`now` in Unix milliseconds) or its direct neighbor
/// (RFC 6238 section 5.2). `secret` is in base 32. Spaces are ignored.
#[must_use]
pub fn matching_step(secret: &str, code: &str, now: i64) -> Option<i64> {
    let bytes = BASE32_NOPAD.decode(secret.as_bytes()).ok()?;
    let totp = Builder::new().with_secret(Secret::new(bytes.into_boxed_slice())).build().ok()?;
    let code: String = code.chars().filter(|letter| !letter.is_whitespace()).collect();
    let step = totp.check(&code, u64::try_from(now.div_euclid(1000)).ok()?)?;
    i64::try_from(step).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `12345678901234567890`.
    const SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn the_vectors_of_rfc_6238_appendix_b() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let step = seconds / 30;
            for (now, works) in [(step - 2, false), (step - 1, true), (step, true), (step + 1, true), (step + 2, false)]
            {
                let found = matching_step(SECRET, code, now * 30_000);
                assert_eq!(found, works.then_some(step), "{code} {now}");
            }
        }
    }

    #[test]
    fn what_is_no_code_matches_nothing() {
        assert_eq!(matching_step(SECRET, " 287 082 ", 59_000), Some(1));
        for code in ["", "28708", "2870820", "94287082", "28708a", "-87082", "２８７０８２", "+87082"] {
            assert_eq!(matching_step(SECRET, code, 59_000), None, "{code}");
        }
        for (secret, now) in [("", 59_000), ("not base 32", 59_000), ("GEZDGNBV", 59_000), (SECRET, -1)] {
            assert_eq!(matching_step(secret, "287082", now), None, "{secret}");
        }
    }
}
