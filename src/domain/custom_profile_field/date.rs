//! Dates in the formats of fields: `yyyy`, `MM` and `dd` (or `YYYY` and `DD`), each once, with other characters between
//! them.

use crate::documents::custom_profile_field::Rules;
use crate::documents::text::Text;

/// The default format of a field, which browsers use too.
pub const ISO: &str = "yyyy-MM-dd";
/// The parts of a format: year, month and day, in both spellings that other systems use.
const PARTS: [&str; 5] = ["yyyy", "YYYY", "MM", "dd", "DD"];

/// The most bytes of a format.
const MAX_FORMAT_BYTES: usize = 128;

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The format of a field.
#[must_use]
pub fn format_of(rules: &Rules) -> &str {
    match (rules.format.as_ref().map(Text::as_str), &rules.custom_format) {
        (Some("custom"), Some(custom)) => custom.as_str(),
        (Some(named), _) => named,
        (None, _) => ISO,
    }
}

/// Whether the format is valid.
#[must_use]
pub fn is_format(rules: &Rules) -> bool {
    let format = format_of(rules);
    let rest = PARTS.iter().fold(format.to_owned(), |rest, part| rest.replacen(part, "", 1));
    let has_all = format.contains("yyyy") != format.contains("YYYY")
        && format.contains("MM")
        && format.contains("dd") != format.contains("DD");
    has_all && format.len() <= MAX_FORMAT_BYTES && !rest.contains(|one: char| one.is_ascii_alphanumeric())
}

/// Parses a date in this format.
#[must_use]
pub fn parse(format: &str, text: &str) -> Option<Date> {
    let (mut year, mut month, mut day) = (None, None, None);
    let (mut format, mut rest) = (format, text);
    while !format.is_empty() {
        let part = PARTS.into_iter().find(|part| format.starts_with(part));
        let Some(part) = part else {
            let between = format.chars().next()?;
            (format, rest) = (format.strip_prefix(between)?, rest.strip_prefix(between)?);
            continue;
        };
        let digits = rest.get(..part.len()).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        let number: u16 = digits.parse().ok()?;
        match part {
            "yyyy" | "YYYY" => year = Some(number),
            "MM" => month = u8::try_from(number).ok(),
            _ => day = u8::try_from(number).ok(),
        }
        (format, rest) = (&format[part.len()..], &rest[part.len()..]);
    }
    let found = Date { year: year?, month: month?, day: day? };
    (rest.is_empty() && found.is_there()).then_some(found)
}

impl Date {
    fn is_there(self) -> bool {
        let is_leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if is_leap => 29,
            2 => 28,
            _ => return false,
        };
        self.year > 0 && (1..=days).contains(&self.day)
    }

    /// The date in a format.
    #[must_use]
    pub fn shown(self, format: &str) -> String {
        let (year, month, day) =
            (format!("{:04}", self.year), format!("{:02}", self.month), format!("{:02}", self.day));
        let values = [("yyyy", &year), ("YYYY", &year), ("MM", &month), ("dd", &day), ("DD", &day)];
        values.into_iter().fold(format.to_owned(), |shown, (part, value)| shown.replacen(part, value, 1))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn days_are_read_and_written_in_their_format() {
        for (format, text, iso) in [
            (ISO, "2024-02-29", Some("2024-02-29")),
            (ISO, "2023-02-29", None),
            (ISO, "2100-02-29", None),
            (ISO, "2024-13-01", None),
            (ISO, "2024-1-1", None),
            (ISO, "2024-01-01x", None),
            (ISO, "0000-01-01", None),
            ("MM/dd/yyyy", "12/31/1999", Some("1999-12-31")),
            ("dd/MM/yyyy", "31/12/1999", Some("1999-12-31")),
            ("dd/MM/yyyy", "12/31/1999", None),
            ("dd.MM.yyyy", "01.02.2003", Some("2003-02-01")),
            ("yyyy年MM月dd日", "2003年02月01日", Some("2003-02-01")),
            ("dd.MM.yyyy", "é1.02.2003", None),
            ("MM-DD-YYYY", "02-29-2024", Some("2024-02-29")),
            ("MM-DD-YYYY", "02-30-2024", None),
        ] {
            let day = parse(format, text);
            assert_eq!(day.map(|day| day.shown(ISO)).as_deref(), iso, "{format} {text}");
            assert!(day.is_none_or(|day| day.shown(format) == text), "{format} {text}");
        }
    }

    #[test]
    fn a_format_names_a_whole_day() {
        for (rules, fits) in [
            (json!({}), true),
            (json!({ "format": "dd/MM/yyyy" }), true),
            (json!({ "format": "dd.MM.yyyy" }), true),
            (json!({ "format": "MM-DD-YYYY" }), true),
            (json!({ "format": "YYYY-MM-DD yyyy" }), false),
            (json!({ "format": "MM-DD" }), false),
            (json!({ "format": "DD-mm-YYYY" }), false),
            (json!({ "format": format!("yyyy-MM-dd{}", " ".repeat(200)) }), false),
            (json!({ "format": "custom" }), false),
            (json!({ "format": "custom", "customFormat": "dd.MM.yyyy" }), true),
            (json!({ "format": "custom", "customFormat": "MM.yyyy" }), false),
            (json!({ "format": "custom", "customFormat": "dd.MM.yyyy HH" }), false),
        ] {
            assert_eq!(is_format(&serde_json::from_value(rules.clone()).unwrap()), fits, "{rules}");
        }
    }
}
