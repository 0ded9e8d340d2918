//! User codes of the device flow (RFC 8628 section 6.1), which a device displays and a user enters. Ten consonants, 43
//! bits.

/// The letters of a code: no vowels, to avoid words, and no lookalikes.
pub const ALPHABET: &[u8] = b"BCDFGHJKLMNPQRSTVWXZ";
/// Length of a code: 20^10 codes are more than 2^43.
pub const LENGTH: usize = 10;
/// Maximum characters of the input.
const MAX_TYPED_CHARS: usize = 64;

/// A code as displayed, in two parts: `BCDFG-HJKLM`.
#[must_use]
pub fn shown(code: &str) -> String {
    match code.split_at_checked(LENGTH / 2) {
        Some((first, second)) if !second.is_empty() => format!("{first}-{second}"),
        _ => code.to_owned(),
    }
}

/// Normalizes an entered code: accepts lowercase and fullwidth letters, dashes and spaces anywhere. `None` if it is not
/// well-formed.
#[must_use]
pub fn read(typed: &str) -> Option<String> {
    let mut code = String::with_capacity(LENGTH);
    for letter in typed.chars().take(MAX_TYPED_CHARS).filter(|letter| !is_separator(*letter)) {
        let letter = narrow(letter).to_ascii_uppercase();
        if code.len() == LENGTH || !u8::try_from(letter).is_ok_and(|byte| ALPHABET.contains(&byte)) {
            return None;
        }
        code.push(letter);
    }
    Some(code).filter(|code| code.len() == LENGTH)
}

/// Spaces, and the dashes of all keyboards.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '-' | '_' | '.' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30fc}' | '\u{ff0d}')
}

/// Converts a fullwidth letter of East Asian keyboards (U+FF21 to U+FF5A) to ASCII.
fn narrow(letter: char) -> char {
    match u32::from(letter) {
        wide @ (0xff21..=0xff3a | 0xff41..=0xff5a) => char::from_u32(wide - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        for typed in [
            "BCDFGHJKLM",
            "bcdfg-hjklm",
            " b c d f g h j k l m ",
            "BCDFG\u{2013}HJKLM\n",
            "-BCD-FGH-JKL-M-",
            "ｂｃｄｆｇー\u{3000}ＨＪＫＬＭ",
        ] {
            assert_eq!(read(typed).as_deref(), Some("BCDFGHJKLM"), "{typed}");
        }
        for typed in ["", "BCDFG-HJKL", "BCDFG-HJKLMN", "ACDFG-HJKLM", "BCDFG-HJKL1", "ßCDFG-HJKLM", "BCDFG/HJKLM"] {
            assert_eq!(read(typed), None, "{typed}");
        }
        assert_eq!(read(&format!("{}BCDFGHJKLM", " ".repeat(MAX_TYPED_CHARS))), None);
        assert_eq!(shown("BCDFGHJKLM"), "BCDFG-HJKLM");
        assert_eq!([shown(""), shown("BCD"), shown("BCDFÄG")], ["", "BCD", "BCDFÄG"]);
    }

    #[test]
    fn a_code_has_forty_bits_and_no_vowels() {
        let codes = (0..LENGTH).fold(1_u64, |codes, _| codes * 20);
        assert!(codes > 1 << 40 && ALPHABET.len() == 20);
        assert!(!ALPHABET.iter().any(|letter| b"AEIOUY0123456789".contains(letter)));
    }
}
