//! Decodes untrusted base64 (RFC 4648 section 4): padded, canonical, and not concatenated.

use data_encoding::BASE64_NOPAD;

/// Decodes a text; `None` if it is not valid base64. The library's own decoder also accepts concatenated padded texts.
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
