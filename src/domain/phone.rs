//! Phone numbers, normalized to international digits (E.164, without `+`).

use phonenumber::Type;
use phonenumber::metadata::DATABASE;

/// Maximum digits of an international number (E.164).
const MAX_DIGITS: usize = 15;

/// The kinds of numbers that can be dialled from abroad: no short codes and no local-only numbers.
const KINDS: [Type; 10] = [
    Type::FixedLine,
    Type::Mobile,
    Type::TollFree,
    Type::PremiumRate,
    Type::SharedCost,
    Type::PersonalNumber,
    Type::Voip,
    Type::Pager,
    Type::Uan,
    Type::Voicemail,
];

/// The digits of an international number, with or without `+`, spaces, hyphens and parentheses; a trunk zero, which is
/// only dialled within a country, is dropped. `None` if the calling code does not exist, or no number of that code has
/// so many digits. Unassigned numbers are accepted.
#[must_use]
pub fn international(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number = phonenumber::parse(None, format!("+{digits}")).ok()?;
    let code = number.code().value();
    let zeros = usize::from(number.national().zeros());
    // In some countries leading zeros are part of the number. For an unassigned number that is unknown: zeros are
    // dropped, unless the number has a possible length only with them.
    let known = if number.is_valid() { [zeros, zeros] } else { [0, zeros] };
    let national = known.map(|zeros| format!("{}{}", "0".repeat(zeros), number.national().value()));
    let national = national.into_iter().find(|national| is_possible(code, national.len()))?;
    let international = format!("{code}{national}");
    (international.len() <= MAX_DIGITS).then_some(international)
}

/// Whether numbers of this calling code can have so many digits after it. All countries that share a code use the
/// lengths of the main one: the seven digits of some companies in Canada are not valid for the others.
fn is_possible(code: u16, length: usize) -> bool {
    let countries = DATABASE.by_code(&code).unwrap_or_default();
    let main = countries.iter().find(|country| country.is_main_country_for_code()).or_else(|| countries.first());
    let mut kinds = KINDS.iter().filter_map(|kind| main?.descriptors().get(*kind));
    kinds.any(|kind| kind.possible_length().iter().any(|possible| usize::from(*possible) == length))
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

    #[test]
    fn a_number_is_as_long_as_those_of_its_country() {
        // Too short, too long, without area code, and nine digits after zeros.
        let short = ["+1 650 253 000", "+44 1234", "+33 6 12 34 56 7", "+49 151", "+1 253 0000"];
        for text in short.into_iter().chain(["+1 650 253 00000", "+1 000123456789"]) {
            assert_eq!(international(text), None, "{text}");
        }
        // Unassigned but possible numbers. The zero of an Ivorian number is part of it.
        for (text, known) in [
            ("+1 555 010 0200", "15550100200"),
            ("+44 1234 567890", "441234567890"),
            ("+225 09 12 34 56 78", "2250912345678"),
            ("+800 1234 5678", "80012345678"),
        ] {
            assert_eq!(international(text).as_deref(), Some(known), "{text}");
        }
    }
}
