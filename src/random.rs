//! Random identifiers and secrets, from the cryptographic source of aws-lc.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};

const LOWER: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const MIXED: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The system's random source failed; nothing can be issued then.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the system's random source failed")]
pub struct RandomError;

/// `N` random bytes.
pub fn bytes<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| RandomError)?;
    Ok(bytes)
}

/// An identifier of `length` characters of `[0-9a-z]` (5.17 bits each).
pub fn id(length: usize) -> Result<String, RandomError> {
    text(LOWER, length)
}

/// An identifier of 21 characters of `[0-9a-z]` that sorts by time: 8 for the milliseconds since 1970, 13 random ones
/// (67 bits). Rows that are added together lie together in its index, so that many of them change few pages.
pub fn id_at(now_ms: i64) -> Result<String, RandomError> {
    let mut rest = now_ms.unsigned_abs();
    let mut digits = [b'0'; 8];
    for digit in digits.iter_mut().rev() {
        *digit = LOWER[usize::try_from(rest % 36).unwrap_or_default()];
        rest /= 36;
    }
    Ok(digits.map(char::from).iter().collect::<String>() + &id(13)?)
}

/// A secret of `length` characters of `[0-9A-Za-z]` (5.95 bits each).
pub fn secret(length: usize) -> Result<String, RandomError> {
    text(MIXED, length)
}

fn text(alphabet: &[u8], length: usize) -> Result<String, RandomError> {
    // Bytes past the largest multiple of the alphabet are thrown away, so that every character is equally likely.
    let fair = 256 - 256 % alphabet.len();
    let mut text = String::with_capacity(length);
    while text.len() < length {
        for byte in bytes::<64>()?.into_iter().map(usize::from).filter(|byte| *byte < fair) {
            if text.len() == length {
                break;
            }
            text.push(char::from(alphabet[byte % alphabet.len()]));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_identifiers_sort_behind_earlier_ones() -> Result<(), RandomError> {
        let times = [0, 35, 36, 1_700_000_000_000, 1_700_000_000_001, 2_800_000_000_000];
        let ids = times.into_iter().map(id_at).collect::<Result<Vec<_>, _>>()?;
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 21), "{ids:?}");
        assert_ne!(id_at(0)?, id_at(0)?);
        Ok(())
    }

    #[test]
    fn identifiers_keep_to_their_alphabet_and_do_not_repeat() -> Result<(), RandomError> {
        let (first, second) = (id(21)?, id(21)?);
        assert_eq!(first.len(), 21);
        assert!(first.bytes().all(|byte| LOWER.contains(&byte)));
        assert_ne!(first, second);
        assert!(secret(32)?.bytes().all(|byte| MIXED.contains(&byte)));
        Ok(())
    }
}
