//! Numbers that keep their value: a number is read as a 64-bit integer or as a double, and one that is neither would be
//! stored as another number.

/// Digits that a double always keeps.
const KEPT_DIGITS: usize = 15;
/// More significant digits than the exact value of any double has.
const MAX_DIGITS: usize = 800;

/// Where the number ends that begins at `from`.
pub(crate) fn end(text: &[u8], from: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    text[from..].iter().position(|byte| !is_part(byte)).map_or(text.len(), |length| from + length)
}

/// Whether a number is stored with the value that it has. What is no number passes: its reader says so.
///
/// A whole number is kept if it fits 64 bits, or a double writes it with the same digits. A number with a fraction or an
/// exponent is a double, and any text of that double will do: the shortest, or its value to so many digits, as languages
/// write it (`0.10000000000000001`).
pub(crate) fn is_kept(text: &[u8]) -> bool {
    if text.len() <= KEPT_DIGITS && !text.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return true;
    }
    let Ok(text) = std::str::from_utf8(text) else { return true };
    let is_whole = !text.contains(['.', 'e', 'E']);
    if is_whole && (text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()) {
        return true;
    }
    // One that is too large is its reader's to refuse.
    let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) else { return true };
    let Some(sent) = Decimal::parse(text) else { return false };
    if Decimal::parse(&format!("{number:e}")).as_ref() == Some(&sent) {
        return true;
    }
    let digits = sent.digits.len();
    !is_whole
        && (1..=MAX_DIGITS).contains(&digits)
        && Decimal::parse(&format!("{number:.*e}", digits - 1)).as_ref() == Some(&sent)
}

/// The value of a decimal number: `0.digits` times ten to the power of the exponent.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let unsigned = mantissa.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all = [whole, fraction].concat();
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = all.trim_start_matches('0');
        let leading_zeros = i64::try_from(all.len() - significant.len()).ok()?;
        let digits = significant.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits, exponent: 0 });
        }
        let exponent: i64 = exponent.parse().ok()?;
        let point = i64::try_from(whole.len()).ok()?;
        let exponent = exponent.checked_add(point)?.checked_sub(leading_zeros)?;
        Some(Self { is_negative: mantissa.starts_with('-'), digits, exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_value_or_are_refused() {
        for (text, kept) in [
            ("0", true),
            ("-0", true),
            ("-0.0", true),
            ("1.50", true),
            ("100000000000000", true),
            ("9007199254740993", true),
            ("9223372036854775807", true),
            ("-9223372036854775808", true),
            ("18446744073709551615", true),
            ("18446744073709551616", false),
            ("-9223372036854775809", false),
            ("123456789012345678901234567890", false),
            ("100000000000000000000", true),
            ("1e2", true),
            ("1E+22", true),
            ("1e-7", true),
            ("1.7976931348623157e308", true),
            ("5e-324", true),
            ("1e-400", false),
            ("0.1", true),
            ("0.30000000000000004", true),
            ("0.10000000000000001", true),
            ("0.1000000000000000055511151231257827", true),
            ("0.123456789012345671", false),
            ("0.123456789012345678901234567890", false),
            ("1234567890123.4567", false),
            ("1234567890123456789.5", false),
            ("19.990000000000000000", true),
            ("5.684341886080802e-14", true),
            ("5.684341886080801e-14", true),
            // What no reader takes is not judged here.
            ("1e999", true),
            ("1-2", true),
            ("--------------------", true),
            ("1e99999999999999999999", true),
            ("1e-99999999999999999999", false),
        ] {
            assert_eq!(is_kept(text.as_bytes()), kept, "{text}");
        }
        assert!(!is_kept(format!("0.{}", "1".repeat(5000)).as_bytes()));
    }

    #[test]
    fn every_text_of_a_double_is_kept() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let number = f64::from_bits(bits);
            if number.is_finite() {
                for text in [format!("{number:e}"), format!("{number:.16e}"), format!("{number:.20e}")] {
                    assert!(is_kept(text.as_bytes()), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_number_ends_where_it_ends() {
        assert_eq!(end(b"[-1.5e+3,2]", 1), 8);
        assert_eq!(end(b"12", 0), 2);
    }
}
