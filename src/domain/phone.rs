//! Phone numbers: normalized to international digits (E.164, without `+`), however they are written.

/// The most digits of an international number (E.164).
const MAX_DIGITS: usize = 15;

/// The digits of an international number, with or without `+`, spaces, hyphens and parentheses; a trunk zero, which is
/// dialled within a country alone, is dropped. `None` for what can be no number: its calling code does not exist, or it
/// is too short or too long.
#[must_use]
pub fn international(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number = phonenumber::parse(None, format!("+{digits}")).ok()?;
    // Some countries write zeros that are part of the number.
    let zeros = if number.is_valid() { usize::from(number.national().zeros()) } else { 0 };
    let known = format!("{}{}{}", number.code().value(), "0".repeat(zeros), number.national().value());
    (known.len() <= MAX_DIGITS).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_has_one_spelling() {
        for (text, known) in [
            ("+1 (650) 253-0000", "16502530000"),
            ("16502530000", "16502530000"),
            ("+61 0412 345 678", "61412345678"),
            ("61 412 345 678", "61412345678"),
            ("+61 (0) 412 345 678", "61412345678"),
            ("610412345678", "61412345678"),
            ("+44 07911 123456", "447911123456"),
            ("+49 (0)151 12345678", "4915112345678"),
            ("+39 06 6982", "39066982"),
            ("+1 000123456789", "1123456789"),
            ("86 13800138000", "8613800138000"),
        ] {
            assert_eq!(international(text).as_deref(), Some(known), "{text}");
        }
    }

    #[test]
    fn what_can_be_no_number_is_none() {
        for text in ["", "+", "0", "0123", "999123456", "+1", "1", "49 1", "+49 15112345678901234", "00000000000"] {
            assert_eq!(international(text), None, "{text}");
        }
    }
}
