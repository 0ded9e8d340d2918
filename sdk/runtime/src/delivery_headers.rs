//! Headers that a webhook transform sets: an invalid one fails the transform, a reserved one is dropped.

/// Headers that one answer may have.
const MAX_HEADERS: usize = 50;

/// Bytes that a value may have.
const MAX_VALUE_BYTES: usize = 4096;

/// Headers of the connection and of the body's transport (RFC 9110 sections 7.2, 7.6 and 8.6), and signatures.
const RESERVED_HEADERS: [&str; 14] = [
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "logto-signature-sha-256",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// All headers with this prefix are reserved as well.
const RESERVED_PREFIX: &str = "webhook-";

/// Headers that are sent, and the names of those that were dropped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Headers {
    pub(crate) kept: Vec<(String, String)>,
    pub(crate) dropped: Vec<String>,
}

/// Reads the headers of an answer. Names become small letters; of one name the last value counts.
pub(crate) fn read(headers: Vec<(String, String)>) -> Result<Headers, String> {
    if headers.len() > MAX_HEADERS {
        return Err(format!("{} headers; at most {MAX_HEADERS} are accepted", headers.len()));
    }
    let mut read = Headers::default();
    for (name, value) in headers {
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(format!("{name:?} is not a valid header name"));
        }
        if value.len() > MAX_VALUE_BYTES {
            return Err(format!("the header {name} has {} bytes; at most {MAX_VALUE_BYTES} are accepted", value.len()));
        }
        if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(format!("the header {name} has a character that is not printable ASCII"));
        }
        let name = name.to_ascii_lowercase();
        if RESERVED_HEADERS.contains(&name.as_str()) || name.starts_with(RESERVED_PREFIX) {
            if !read.dropped.contains(&name) {
                read.dropped.push(name);
            }
            continue;
        }
        read.kept.retain(|(kept, _)| *kept != name);
        read.kept.push((name, value));
    }
    Ok(read)
}

/// RFC 9110 section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn pairs(headers: &[(&str, &str)]) -> Vec<(String, String)> {
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn of_one_name_the_last_value_counts() {
        let read = read(pairs(&[("X-Kind", "a"), ("content-type", "text/plain"), ("x-kind", "b"), ("x-empty", "")]));
        let kept = pairs(&[("content-type", "text/plain"), ("x-kind", "b"), ("x-empty", "")]);
        assert_eq!(read, Ok(Headers { kept, dropped: vec![] }));
    }

    #[test]
    fn what_is_the_servers_is_dropped() {
        let headers = [
            ("Host", "evil.example"),
            ("CONTENT-LENGTH", "0"),
            ("webhook-id", "1"),
            ("Webhook-Signature", "v1,x"),
            ("Logto-Signature-Sha-256", "x"),
            ("transfer-encoding", "chunked"),
            ("host", "again"),
            ("x-mine", "1"),
        ];
        let read = read(pairs(&headers)).unwrap();
        assert_eq!(read.kept, pairs(&[("x-mine", "1")]));
        let dropped = "host content-length webhook-id webhook-signature logto-signature-sha-256 transfer-encoding";
        assert_eq!(read.dropped, dropped.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let long = "x".repeat(MAX_VALUE_BYTES + 1);
        let table = [
            ("", "a", "not a valid header name"),
            ("a b", "a", "not a valid header name"),
            ("a:", "a", "not a valid header name"),
            ("a\r\nb", "a", "not a valid header name"),
            ("größe", "a", "not a valid header name"),
            ("a", "b\r\nwebhook-id: 1", "printable ASCII"),
            ("a", "b\0", "printable ASCII"),
            ("a", "\u{e9}", "printable ASCII"),
            ("a", "\t", "printable ASCII"),
            ("a", &long, "4097 bytes"),
        ];
        for (name, value, part) in table {
            let error = read(pairs(&[(name, value)])).unwrap_err();
            assert!(error.contains(part), "{name:?}: {error}");
        }
        assert!(read(vec![("a".to_owned(), String::new()); MAX_HEADERS + 1]).is_err());
    }
}
