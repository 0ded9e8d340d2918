//! Common passwords and their usual variations: capitals, digits in place of letters, a year or an exclamation mark at
//! the end, repetition. The list is built in, so that no other service is asked.

use std::collections::HashSet;
use std::sync::LazyLock;

/// One per line, in lower case.
static LIST: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common.txt").lines().map(str::trim).filter(|line| !line.is_empty()).collect());

/// Maximum number of digits and symbols around a common password for it to still count as common.
const MAX_CHARACTERS_AROUND: usize = 4;
/// Maximum length of a repeated piece.
const MAX_PIECE_CHARACTERS: usize = 6;

/// Whether the password, or a close variation of it, is common.
pub(super) fn is_common(password: &str) -> bool {
    let small = password.to_lowercase();
    // The password without a few digits and symbols at both ends.
    let core = small.trim_matches(|character: char| !character.is_alphabetic());
    let around = small.chars().count() - core.chars().count();
    let parts = [Some(small.as_str()), Some(core).filter(|_| around <= MAX_CHARACTERS_AROUND)];
    let is_listed = |part: &str| {
        LIST.contains(part) || ['i', 'l'].into_iter().any(|one| LIST.contains(&*letters_for_digits(part, one)))
    };
    parts.into_iter().flatten().any(is_listed) || is_one_piece(&small)
}

/// Replaces digits and symbols by the letters that they imitate; a `1` becomes `one`.
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

/// Whether it is one short piece repeated, such as `xyxyxyxy`.
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
