//! The path that a webhook transform may choose, below the hook's own path. A path is accepted only if every server
//! reads it in the same way: nothing in it is left to decode or to normalize (path traversal).

/// Bytes that a path may have.
const MAX_PATH_BYTES: usize = 2048;

/// Characters beside letters and digits that stand for themselves in a segment (RFC 3986 section 3.3).
const UNESCAPED: &[u8] = b"-._~!$&'()*+,;=:@";

/// Characters that must not be percent-encoded: servers disagree on whether they still separate or leave segments then.
const FORBIDDEN_WHEN_ENCODED: &[u8] = b"./\\%";

/// The path of a request: `path` below the hook's own, `base`; none when it would not stay there.
///
/// A query is no part of it: the hook's own stays as its operator set it, and may hold what the receiver trusts.
#[must_use]
pub fn below(base: &str, path: &str) -> Option<String> {
    let path = normalized(path).ok()?;
    Some(if path.is_empty() { base.to_owned() } else { format!("{}/{path}", base.trim_end_matches('/')) })
}

/// `path` without `.` and `..`; the error says what is wrong with it.
pub(crate) fn normalized(path: &str) -> Result<String, &'static str> {
    if path.len() > MAX_PATH_BYTES {
        return Err("it has more than 2048 bytes");
    }
    if path.starts_with('/') {
        return Err("it begins with a slash: it is relative to the hook's own path");
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    let mut first = true;
    while let Some(segment) = segments.next() {
        check(segment, first)?;
        first = false;
        let last = segments.peek().is_none();
        match segment {
            "" if !last => return Err("it has two slashes in a row"),
            "" | "." => {}
            ".." => _ = kept.pop().ok_or("it leaves the hook's own path")?,
            other => kept.push(other),
        }
        // A path that ends in a slash, in `.` or in `..` names a folder.
        if last && matches!(segment, "" | "." | "..") && !kept.is_empty() {
            kept.push("");
        }
    }
    Ok(kept.join("/"))
}

fn check(segment: &str, first: bool) -> Result<(), &'static str> {
    if first && segment.contains(':') {
        return Err("its first segment has a colon, as if it named a scheme");
    }
    let mut bytes = segment.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'%' => {
                let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
                let (high, low) =
                    digit(bytes.next()).zip(digit(bytes.next())).ok_or("it has a % without two hexadecimal digits")?;
                let decoded = u8::try_from(high * 16 + low).unwrap_or_default();
                if decoded.is_ascii_control() || FORBIDDEN_WHEN_ENCODED.contains(&decoded) {
                    return Err("it encodes a control character, a dot, a slash, a backslash or a percent sign");
                }
            }
            b'?' | b'#' => return Err("it has a query or a fragment"),
            other if other.is_ascii_alphanumeric() || UNESCAPED.contains(&other) => {}
            _ => return Err("it has a character that must be percent-encoded in a path"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_path_goes_below_the_hooks_own() {
        let table = [
            ("/in", "users/created", "/in/users/created"),
            ("/in/", "users", "/in/users"),
            ("/", "users", "/users"),
            ("", "users", "/users"),
            ("/in", "", "/in"),
            ("/in/", "", "/in/"),
            ("/in", ".", "/in"),
            ("/in", "./a/./b", "/in/a/b"),
            ("/in", "a/../b", "/in/b"),
            ("/in", "a/..", "/in"),
            ("/in", "a/b/..", "/in/a/"),
            ("/in", "a/", "/in/a/"),
            ("/in", "a/.", "/in/a/"),
            ("/in", "...", "/in/..."),
            ("/in", ".hidden/..b", "/in/.hidden/..b"),
            ("/in", "a/b:c@d", "/in/a/b:c@d"),
            ("/in", "caf%C3%A9/a%20b", "/in/caf%C3%A9/a%20b"),
            ("/in", "a;v=1,2", "/in/a;v=1,2"),
        ];
        for (base, path, expected) in table {
            assert_eq!(below(base, path).as_deref(), Some(expected), "{base} and {path}");
        }
    }

    #[test]
    fn a_path_that_could_leave_is_refused() {
        let long = "a".repeat(MAX_PATH_BYTES + 1);
        let table = [
            "..",
            "../a",
            "a/../..",
            "a/../../b",
            "./..",
            "/a",
            "//evil.example/a",
            "/",
            "a//b",
            "a//../../b",
            "https://evil.example/",
            "http:a",
            "javascript:a",
            "%2e%2e/a",
            "%2E./a",
            ".%2e/a",
            "a/%2e%2e/%2e%2e/b",
            "%252e%252e/a",
            "..%2fa",
            "a%2f..%2f..%2fb",
            "..%5ca",
            "..\\a",
            "\\\\evil.example",
            "a\\..\\..\\b",
            "a?b=c",
            "?",
            "a#b",
            "#",
            "a\nb",
            "a\tb",
            "..\t/a",
            ".\n./a",
            "a\0b",
            "a%00b",
            "a%0d%0ab",
            "a%7fb",
            "a b",
            " ..",
            "caf\u{e9}",
            "a%",
            "a%2",
            "a%zz",
            "a\u{2028}b",
            "a\u{ff0f}..",
            "\u{202e}a",
            "<a>",
            "a\"b",
            "a|b",
            "a^b",
            "{a}",
            "a`b",
            "[a]",
            &long,
        ];
        for path in table {
            assert_eq!(below("/in", path), None, "{path:?}");
        }
    }

    /// What is accepted is left as it is by the parser that delivers it.
    #[test]
    fn a_url_keeps_it() {
        for path in ["users/created", "a/b/..", "a/..", "...", ".hidden/..b", "caf%C3%A9", "a;v=1,2/b:c@d", "a/./b/"] {
            let mut url = url::Url::parse("https://example.com/in/?key=1").unwrap();
            let wanted = below(url.path(), path).unwrap();
            url.set_path(&wanted);
            assert_eq!((url.path(), url.query(), url.host_str()), (&*wanted, Some("key=1"), Some("example.com")));
        }
    }
}
