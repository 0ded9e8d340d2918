//! The common encodings of a secret, for redaction: base64 in both alphabets and at any offset, hexadecimal, and
//! percent-encoding. This finds secrets that were encoded by accident; a plugin that wants to hide one still can.

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, Encoding, HEXLOWER, HEXUPPER};
use std::fmt::Write;

/// What `encodeURIComponent` leaves as it is, beside letters and digits.
const COMPONENT: &[u8] = b"-_.!~*'()";

/// What RFC 3986 calls unreserved, beside letters and digits.
const UNRESERVED: &[u8] = b"-_.~";

/// What a form leaves as it is, beside letters and digits.
const FORM: &[u8] = b"-_.*";

/// All encodings, without the value itself.
pub(super) fn encoded(value: &str) -> Vec<String> {
    let bytes = value.as_bytes();
    let mut all = vec![HEXLOWER.encode(bytes), HEXUPPER.encode(bytes)];
    for offset in 0..3 {
        all.push(in_base64(&BASE64_NOPAD, bytes, offset));
        all.push(in_base64(&BASE64URL_NOPAD, bytes, offset));
    }
    for kept in [COMPONENT, UNRESERVED, FORM, b""] {
        let everything = kept.is_empty();
        let is_kept = |byte: u8| !everything && (byte.is_ascii_alphanumeric() || kept.contains(&byte));
        for text in [percent(bytes, false, is_kept), percent(bytes, true, is_kept)] {
            all.extend([text.replace("%20", "+"), text]);
        }
    }
    all.retain(|text| !text.is_empty() && text != value);
    all.sort();
    all.dedup();
    all
}

/// The characters that the value alone decides where it stands `offset` bytes after a multiple of three.
fn in_base64(alphabet: &Encoding, value: &[u8], offset: usize) -> String {
    let text = alphabet.encode(&[&[0_u8, 0][..offset], value].concat());
    let first = (8 * offset).div_ceil(6);
    let end = 8 * (offset + value.len()) / 6;
    text.get(first..end).unwrap_or_default().to_owned()
}

fn percent(value: &[u8], small: bool, is_kept: impl Fn(u8) -> bool) -> String {
    let mut text = String::with_capacity(3 * value.len());
    for byte in value {
        if is_kept(*byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = if small { write!(text, "%{byte:02x}") } else { write!(text, "%{byte:02X}") };
        }
    }
    text
}
