//! The encodings of bytes in password hashes: hexadecimal, the alphabets of base64, and that of crypt.

use data_encoding::{BASE64_NOPAD, HEXLOWER_PERMISSIVE};

/// The alphabet of crypt and phpass, whose characters have the lowest bits first.
const CRYPT_ALPHABET: &[u8] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Hexadecimal, of any case.
pub(super) fn hex(text: &str) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()
}

/// Base64 with the usual characters or those of URLs or of passlib, with padding or without.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let bare = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    if bare.len() != text.len() && !text.len().is_multiple_of(4) {
        return None;
    }
    let usual: Vec<u8> = bare
        .bytes()
        .map(|byte| match byte {
            b'-' | b'.' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    BASE64_NOPAD.decode(&usual).ok()
}

/// So many bytes, hexadecimal or in base64; the length of the text tells which.
pub(super) fn exactly(text: &str, bytes: usize) -> Option<Vec<u8>> {
    let decoded = if text.len() == bytes * 2 { hex(text) } else { base64(text) };
    decoded.filter(|decoded| decoded.len() == bytes)
}

/// So many bytes in the encoding of crypt and phpass.
pub(super) fn crypt(text: &str, bytes: usize) -> Option<Vec<u8>> {
    let (mut held, mut count, mut decoded) = (0_u32, 0, Vec::with_capacity(bytes));
    for letter in text.bytes() {
        held |= crypt_value(letter)? << count;
        count += 6;
        if count >= 8 {
            decoded.push(held.to_le_bytes()[0]);
            (held, count) = (held >> 8, count - 8);
        }
    }
    (decoded.len() == bytes && count < 6 && held == 0).then_some(decoded)
}

/// The number that a character of crypt and phpass is.
pub(super) fn crypt_value(letter: u8) -> Option<u32> {
    CRYPT_ALPHABET.iter().position(|known| *known == letter).and_then(|place| u32::try_from(place).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_every_encoding_and_no_others() {
        for text in ["fbffbffbff", "FBFFBFFBFF", "+/+/+/8=", "-_-_-_8=", "+/+/+/8", "./././8"] {
            assert_eq!(exactly(text, 5).as_deref(), Some(&b"\xfb\xff\xbf\xfb\xff"[..]), "{text}");
        }
        for text in ["", "fbffbffbf", "fbffbffbfg", "fbffbffbff00", "+/+/+/8==", "+/+/+/9=", "+/+/ /8", "\u{e4}"] {
            assert_eq!(exactly(text, 5), None, "{text}");
        }
        assert_eq!(crypt("/6..", 3).as_deref(), Some(&b"\x01\x02\x00"[..]));
        assert_eq!(crypt("zD", 1).as_deref(), None);
        assert_eq!(crypt("z1", 1).as_deref(), Some(&b"\xff"[..]));
        for (text, bytes) in [("/6.", 3), ("/6..", 2), ("/6!.", 3), ("/6...", 3)] {
            assert_eq!(crypt(text, bytes), None, "{text}");
        }
    }
}
