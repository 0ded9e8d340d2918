//! What a browser does for the puzzle of a form.

use crate::Answer;
use sha2::{Digest, Sha256};

/// The answer to a puzzle, as the server gave it.
#[must_use]
pub fn solve_puzzle(puzzle: &Answer) -> String {
    let (challenge, difficulty) = (puzzle.text("challenge"), puzzle["difficulty"].as_u64().unwrap());
    let text = challenge.rsplit('.').next().unwrap();
    let zero_bits = |number: &u64| {
        let digest = Sha256::digest(format!("{text}{number}"));
        u64::from(u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]).leading_zeros())
    };
    let number = (0..u64::MAX).find(|number| zero_bits(number) >= difficulty).unwrap();
    format!("{challenge}.{number}")
}
