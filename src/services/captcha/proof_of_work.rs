//! The proof-of-work puzzle of this server: find a number whose SHA-256 hash, appended to the text of the puzzle,
//! begins with a given number of zero bits. Finding it takes many attempts, checking it one. Nothing is stored: the
//! puzzle has a keyed hash of its scope, which is one interaction, one round of it and some minutes.

use crate::encryption::{Cipher, EncryptionError, Purpose};
use sha2::{Digest, Sha256};

/// How long a puzzle may be solved: five minutes, in milliseconds. Browsers ask for it when a form is sent.
const LIFETIME_MS: i64 = 300_000;
/// The maximum bytes of an answer: a puzzle has less than 100, and the number is short.
const MAX_ANSWER_BYTES: usize = 256;

/// A puzzle.
pub struct Puzzle {
    /// `bits.round.expires.digest`.
    pub text: String,
    /// The zero bits that an answer begins with.
    pub bits: u32,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// What a puzzle is for.
#[derive(Clone, Copy)]
pub struct PuzzleContext<'a> {
    /// The interaction.
    pub interaction_id: &'a str,
    /// How many answers were accepted in the interaction before.
    pub round: u32,
    /// Unix milliseconds.
    pub now: i64,
}

/// Makes a puzzle.
pub fn ask(cipher: &Cipher, asked: PuzzleContext<'_>, bits: u32) -> Result<Puzzle, EncryptionError> {
    let expires_at = asked.now + LIFETIME_MS;
    let about = format!("{bits}.{}.{expires_at}", asked.round);
    let digest = cipher.digest(Purpose::CaptchaPuzzle, asked.interaction_id, &about)?;
    Ok(Puzzle { text: format!("{about}.{digest}"), bits, expires_at })
}

/// Whether an answer, `bits.round.expires.digest.number`, solves a puzzle that was made for this interaction, in time.
#[must_use]
pub fn is_solved(cipher: &Cipher, asked: PuzzleContext<'_>, answer: &str) -> bool {
    if answer.len() > MAX_ANSWER_BYTES {
        return false;
    }
    let mut parts = answer.split('.');
    let (Some(bits), Some(round), Some(expires_at), Some(digest), Some(number), None) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    // Over the text as it was issued: numbers that are written differently have another hash.
    if !cipher.is_digest(Purpose::CaptchaPuzzle, asked.interaction_id, &format!("{bits}.{round}.{expires_at}"), digest)
    {
        return false;
    }
    let (Ok(bits), Ok(round), Ok(expires_at)) = (bits.parse::<u32>(), round.parse::<u32>(), expires_at.parse::<i64>())
    else {
        return false;
    };
    round == asked.round && expires_at > asked.now && zero_bits(&format!("{digest}{number}")) >= bits
}

/// The number of leading zero bits in the hash of a text, up to 32.
fn zero_bits(text: &str) -> u32 {
    let digest = Sha256::digest(text);
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]).leading_zeros()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    const ASKED: PuzzleContext<'static> = PuzzleContext { interaction_id: "i1", round: 0, now: 1000 };

    fn solve(puzzle: &Puzzle) -> String {
        let digest = puzzle.text.rsplit('.').next().unwrap();
        let number = (0..u32::MAX).find(|number| zero_bits(&format!("{digest}{number}")) >= puzzle.bits).unwrap();
        format!("{}.{number}", puzzle.text)
    }

    #[test]
    fn an_answer_is_for_one_interaction_one_round_and_some_minutes() {
        let cipher = Cipher::new([&[1; 32]]).unwrap();
        let puzzle = ask(&cipher, ASKED, 8).unwrap();
        assert_eq!(puzzle.expires_at, 301_000);
        let answer = solve(&puzzle);
        assert!(is_solved(&cipher, ASKED, &answer));
        for (asked, is_right) in [
            (PuzzleContext { now: 300_999, ..ASKED }, true),
            (PuzzleContext { now: 301_000, ..ASKED }, false),
            (PuzzleContext { round: 1, ..ASKED }, false),
            (PuzzleContext { interaction_id: "i2", ..ASKED }, false),
        ] {
            assert_eq!(is_solved(&cipher, asked, &answer), is_right);
        }
        assert!(!is_solved(&Cipher::new([&[2; 32]]).unwrap(), ASKED, &answer));
    }

    #[test]
    fn what_was_not_found_or_was_changed_is_no_answer() {
        let cipher = Cipher::new([&[1; 32]]).unwrap();
        let puzzle = ask(&cipher, ASKED, 8).unwrap();
        let answer = solve(&puzzle);
        let digest = puzzle.text.rsplit('.').next().unwrap();
        let wrong = (0..u32::MAX).find(|number| zero_bits(&format!("{digest}{number}")) < 8).unwrap();
        for changed in [
            String::new(),
            "....".to_owned(),
            puzzle.text.clone(),
            format!("{}.{wrong}", puzzle.text),
            format!("{answer}."),
            // Easier, later, in another round, written otherwise.
            answer.replacen("8.", "0.", 1),
            answer.replacen("301000", "901000", 1),
            answer.replacen(".0.", ".1.", 1),
            format!("+{answer}"),
            answer.replace(digest, "AAAA"),
            format!("{answer}{}", "0".repeat(300)),
        ] {
            assert!(!is_solved(&cipher, ASKED, &changed), "{changed}");
        }
    }

    #[test]
    fn zero_bits_are_those_at_the_begin() {
        for (text, expected) in [("abc", 0), ("", 0), ("claimsmith6522", 12), ("claimsmith44275", 17)] {
            assert_eq!(zero_bits(text), expected, "{text}");
        }
    }
}
