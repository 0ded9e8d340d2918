//! Reads base64 (RFC 4648 section 4) from outside: padded, canonical, and one text alone.

use data_encoding::BASE64_NOPAD;

/// The bytes of a text; `None` when it is no base64. The library's own reader of padded texts also takes several of them
/// in a row.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let bare = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    BASE64_NOPAD.decode(bare.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_padded_and_canonical_text_is_read() {
        for (text, bytes) in
            [("", &b""[..]), ("YQ==", b"a"), ("YWI=", b"ab"), ("YWJj", b"abc"), ("+/+/", b"\xfb\xff\xbf")]
        {
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
        for text in [
            "YQ", "YQ=", "Y===", "====", "=", "YQ==YQ==", "YWI=YWJj", "YQ==\n", "YR==", "YW J", "-_-_", "YQ=a",
            "\u{e4}aa",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
