//! Parses untrusted JSON within bounds; all JSON from outside is read here: bodies, answers, manifests, cases, rows,
//! the headers of tokens. Nesting depth, member names and the memory of the parsed value are checked in one pass over
//! the bytes, before `serde_json` allocates anything.
//!
//! `serde_json` bounds the depth of a text, but with its feature `raw_value` (which sqlx switches on) an object whose
//! first member has one of its private names is a text within the text, parsed with a depth limit of its own, until the
//! stack overflows.

mod numbers;
mod object;
mod present;

pub use object::{Listed, object, present_object};
pub use present::present;

use serde::Deserialize;
use std::fmt;

/// The bounds of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How deep it may nest.
    pub depth: usize,
    /// Bytes of memory that its structure may take when it is a value: a `[],` of three bytes takes a hundred. Texts
    /// are not counted, they take what they have.
    pub memory: usize,
    /// Whether numbers have to keep their value. One of 30 digits would be read as the nearest double.
    pub exact_numbers: bool,
}

/// For what comes in: a body, a plugin's answer, a manifest, a field of a form.
pub const INCOMING: Bounds = Bounds { depth: 64, memory: 16 << 20, exact_numbers: false };

/// For what comes in and is stored or passed on as it was sent: the body of a request, the claims of a plugin.
pub const SENT: Bounds = Bounds { exact_numbers: true, ..INCOMING };

/// For what was composed of that and is read back: rows, and documents between parts of the server. What `serde_json`
/// reads of itself, whose 128th level is its end.
pub const STORED: Bounds = Bounds { depth: 127, memory: usize::MAX, exact_numbers: false };

/// The prefix of names that `serde_json` reserves for itself.
const PRIVATE_NAME_PREFIX: &[u8] = b"$serde_json::private::";

// Measured on 64 bits, rounded up, with the room that growing lists and maps leave.
/// Bytes of a value in a list.
const VALUE_BYTES: usize = 144;
/// Bytes of an object that has members, beside theirs.
const OBJECT_BYTES: usize = 512;
/// Bytes of a member, with its name's own allocation.
const MEMBER_BYTES: usize = 192;

/// Why a text is not read, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Why.
    pub reason: Reason,
    line: usize,
    column: usize,
}

/// Why a text is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It nests deeper than this.
    #[error("nested deeper than {0} levels")]
    TooDeep(usize),
    /// A member has a name that `serde_json` would interpret.
    #[error("a name that begins with $serde_json::private:: is not accepted")]
    PrivateName,
    /// Its structure would take more than so many bytes of memory.
    #[error("it would take more than {} MiB of memory when parsed", .0 >> 20)]
    TooLarge(usize),
    /// A number has more digits than are kept.
    #[error("a number with more digits than are stored; send it as a string")]
    InexactNumber,
}

impl fmt::Display for JsonError {
    /// As `serde_json` tells of a place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.reason, self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

impl From<JsonError> for serde_json::Error {
    fn from(refused: JsonError) -> Self {
        serde::de::Error::custom(refused)
    }
}

/// Checks a text, in time linear in its length and without allocating. What is not JSON at all passes: its reader says
/// so.
pub fn check(text: &(impl AsRef<[u8]> + ?Sized), bounds: Bounds) -> Result<(), JsonError> {
    let text = text.as_ref();
    let (mut depth, mut memory, mut at) = (0_usize, VALUE_BYTES, 0_usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                if depth > bounds.depth {
                    return Err(refused(Reason::TooDeep(bounds.depth), text, at));
                }
                memory = memory.saturating_add(if *byte == b'{' { OBJECT_BYTES } else { VALUE_BYTES });
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => memory = memory.saturating_add(VALUE_BYTES),
            b':' => memory = memory.saturating_add(MEMBER_BYTES),
            b'"' => {
                let end = end_of_text(text, at + 1);
                if is_private(&text[at + 1..end]) && is_name(text.get(end + 1..).unwrap_or_default()) {
                    return Err(refused(Reason::PrivateName, text, at));
                }
                at = end;
            }
            b'-' | b'0'..=b'9' if bounds.exact_numbers => {
                let end = numbers::end(text, at);
                if !numbers::is_kept(&text[at..end]) {
                    return Err(refused(Reason::InexactNumber, text, at));
                }
                at = end - 1;
            }
            _ => {}
        }
        if memory > bounds.memory {
            return Err(refused(Reason::TooLarge(bounds.memory), text, at));
        }
        at += 1;
    }
    Ok(())
}

/// Reads a text within bounds.
pub fn read<'t, T: Deserialize<'t>>(
    text: &'t (impl AsRef<[u8]> + ?Sized),
    bounds: Bounds,
) -> Result<T, serde_json::Error> {
    let mut reader = reader(text.as_ref(), bounds)?;
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The same; an error comes with where in the document it is, such as `[3].input`.
pub fn read_at_path<'t, T: Deserialize<'t>>(
    text: &'t (impl AsRef<[u8]> + ?Sized),
    bounds: Bounds,
) -> Result<T, (String, serde_json::Error)> {
    let mut reader = reader(text.as_ref(), bounds).map_err(|error| (".".to_owned(), error))?;
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| (error.path().to_string(), error.into_inner()))?;
    reader.end().map_err(|error| ("end".to_owned(), error))?;
    Ok(value)
}

fn reader(
    text: &[u8],
    bounds: Bounds,
) -> Result<serde_json::Deserializer<serde_json::de::SliceRead<'_>>, serde_json::Error> {
    check(text, bounds)?;
    Ok(serde_json::Deserializer::from_slice(text))
}

/// Where the quotation mark is that ends the text which begins at `from`.
fn end_of_text(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Whether a private name begins like this, also when some of its characters are escaped.
fn is_private(mut name: &[u8]) -> bool {
    PRIVATE_NAME_PREFIX.iter().all(|expected| {
        let (unit, rest) = match name {
            [b'\\', b'u', a, b, c, d, rest @ ..] => (hexadecimal([*a, *b, *c, *d]), rest),
            [byte, rest @ ..] => (Some(u16::from(*byte)), rest),
            [] => (None, name),
        };
        name = rest;
        unit == Some(u16::from(*expected))
    })
}

fn hexadecimal(digits: [u8; 4]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}

fn is_name(after: &[u8]) -> bool {
    after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn refused(reason: Reason, text: &[u8], at: usize) -> JsonError {
    let before = &text[..at];
    let line = before.split(|byte| *byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|byte| **byte != b'\n').count();
    JsonError { reason, line, column }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::Value;

    fn why(text: &str, bounds: Bounds) -> Option<Reason> {
        check(text, bounds).err().map(|refused| refused.reason)
    }

    fn nested(depth: usize) -> String {
        format!("{}{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn depth_is_bounded_and_brackets_in_texts_are_none() {
        for bounds in [INCOMING, STORED] {
            assert!(read::<Value>(&nested(bounds.depth), bounds).is_ok());
            assert_eq!(why(&nested(bounds.depth + 1), bounds), Some(Reason::TooDeep(bounds.depth)));
        }
        let text = format!(r#"["{}", "\"[", {{"{{": 1}}]"#, "[".repeat(200));
        assert_eq!(why(&text, INCOMING), None);
        assert!(read::<Value>(&text, INCOMING).is_ok());
        assert_eq!(why(&"[]".repeat(500), INCOMING), None, "beside each other is not within each other");
        let error = read::<Value>(&format!("\n {}", nested(65)), INCOMING).unwrap_err();
        assert_eq!((error.line(), error.column()), (2, 66));
        assert_eq!(error.to_string(), "nested deeper than 64 levels at line 2 column 66");
    }

    #[test]
    fn private_names_are_refused_however_they_are_spelled() {
        for name in [
            "$serde_json::private::RawValue",
            "$serde_json::private::Number",
            r"\u0024serde_json::private::RawValue",
            r"$serde\u005fjson\u003A:private::RawValu\u0065",
        ] {
            for text in [format!(r#"{{"{name}":"1"}}"#), format!(r#"[{{"a":1,"{name}" {}: "1"}}]"#, "\n")] {
                assert_eq!(why(&text, STORED), Some(Reason::PrivateName), "{text}");
                assert!(read::<Value>(&text, STORED).is_err());
            }
            assert_eq!(why(&format!(r#"["{name}", {{"a":"{name}"}}]"#), STORED), None, "a value is no name");
        }
        for name in ["$serde_json::privat", r"\\u0024serde_json::private::RawValue", r"\u00zz", "", r"a\"] {
            assert_eq!(why(&format!(r#"{{"{name}":1}}"#), STORED), None, "{name}");
        }
    }

    /// The one text for which this module is there: before it, a thread's stack ended here.
    #[test]
    fn a_text_within_a_text_does_not_end_the_stack() {
        let mut text = "1".to_owned();
        for _ in 0..3 {
            let inner = format!("{}{text}{}", "[".repeat(120), "]".repeat(120));
            text = format!(r#"{{"$serde_json::private::RawValue":{}}}"#, Value::from(inner));
        }
        assert_eq!(why(&text, INCOMING), Some(Reason::PrivateName));
    }

    #[test]
    fn what_a_text_unfolds_to_is_bounded() {
        let many = |piece: &str, count: usize| format!("[{}0]", piece.repeat(count));
        for piece in ["[],", "0,", "{},", r#"{"":0},"#, "\"\","] {
            assert_eq!(why(&many(piece, 200_000), INCOMING), Some(Reason::TooLarge(INCOMING.memory)), "{piece}");
            assert_eq!(why(&many(piece, 15_000), INCOMING), None, "{piece}");
            assert_eq!(why(&many(piece, 200_000), STORED), None, "{piece}");
        }
        assert_eq!(why(&Value::from("x".repeat(80 << 20)).to_string(), INCOMING), None, "a text takes what it has");
        assert!(size_of::<Value>() <= VALUE_BYTES * 2 / 3, "{}", size_of::<Value>());
    }

    #[test]
    fn numbers_keep_their_value_where_they_are_sent_to_be_kept() {
        let text = r#"{"n":[1, -2.5e3,123456789012345678901234567890],"t":"123456789012345678901234567890"}"#;
        assert_eq!(why(text, SENT), Some(Reason::InexactNumber));
        assert!(read::<Value>(text, SENT).is_err_and(|error| error.to_string().ends_with("at line 1 column 17")));
        assert_eq!((why(text, INCOMING), why(text, STORED)), (None, None));
        assert_eq!(why(&text.replacen("1234567890123456789", "1", 1), SENT), None);
    }

    #[test]
    fn what_is_no_json_is_the_readers_to_refuse() {
        for text in ["", "\"", "\"\\", "{", "]", "]]]]", "{\"a\":", "nul", "[1,]"] {
            assert_eq!(why(text, INCOMING), None, "{text:?}");
            assert!(read::<Value>(text, INCOMING).is_err(), "{text:?}");
        }
        assert!(read::<Value>("1 2", INCOMING).is_err());
        assert!(read_at_path::<Value>("[1] x", INCOMING).is_err_and(|(path, _)| path == "end"));
    }
}
