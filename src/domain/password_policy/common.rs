//! Passwords that many people use, and how people vary them: capitals, digits in the place of letters, a year or an
//! exclamation mark at the end, the same thing twice. Written from general knowledge, so that nobody has to be asked.

use std::collections::HashSet;
use std::sync::LazyLock;

/// One on each line, in small letters.
static LIST: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common.txt").lines().map(str::trim).filter(|line| !line.is_empty()).collect());

/// The most characters around a common password that make it no other.
const MAX_CHARACTERS_AROUND: usize = 4;
/// The longest piece that is looked for again and again.
const MAX_PIECE_CHARACTERS: usize = 6;

/// Whether many people use this, or nearly this.
pub(super) fn is_common(password: &str) -> bool {
    let small = password.to_lowercase();
    // Without digits and symbols at both ends, if they are few.
    let core = small.trim_matches(|character: char| !character.is_alphabetic());
    let around = small.chars().count() - core.chars().count();
    let parts = [Some(small.as_str()), Some(core).filter(|_| around <= MAX_CHARACTERS_AROUND)];
    let is_listed = |part: &str| {
        LIST.contains(part) || ['i', 'l'].into_iter().any(|one| LIST.contains(&*letters_for_digits(part, one)))
    };
    parts.into_iter().flatten().any(is_listed) || is_one_piece(&small)
}

/// The letters that digits and symbols stand for; a `1` is this one.
fn letters_for_digits(password: &str, one: char) -> String {
    password
        .chars()
        .map(|character| match character {
            '0' => 'o',
            '1' | '!' | '|' => one,
            '3' | '€' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' | '+' => 't',
            '8' => 'b',
            '9' => 'g',
            other => other,
        })
        .collect()
}

/// Whether it is one short piece again and again, such as `xyxyxyxy`.
fn is_one_piece(password: &str) -> bool {
    let characters: Vec<char> = password.chars().collect();
    (1..=MAX_PIECE_CHARACTERS).any(|length| {
        let pieces = characters.chunks(length);
        characters.len() >= 2 * length
            && pieces.len() >= if length > 3 { 2 } else { 3 }
            && pieces.clone().all(|piece| characters.starts_with(piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_tidy() {
        let lines: Vec<&str> = include_str!("common.txt").lines().collect();
        assert!(LIST.len() >= 500, "{}", LIST.len());
        for line in &lines {
            assert_eq!(line.trim(), line.to_lowercase(), "{line:?}");
        }
        assert_eq!(lines.len(), LIST.len(), "each once");
    }

    #[test]
    fn variations_are_common_too() {
        for (password, expected) in [
            ("password", true),
            ("PASSWORD", true),
            ("P@ssw0rd", true),
            ("pa55word", true),
            ("Password2024", true),
            ("password123!", true),
            ("!!password", true),
            ("password20241", false),
            ("1loveyou", true),
            ("we1come1", true),
            ("abcabcabc", true),
            ("xyxyxyxy", true),
            ("7z7z7z7z7", true),
            ("trombone", false),
            ("correct horse battery staple", false),
            ("Tr0mb0ne-Weather", false),
            ("", false),
        ] {
            assert_eq!(is_common(password), expected, "{password:?}");
        }
    }
}
