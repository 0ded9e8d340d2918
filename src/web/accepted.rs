//! Content negotiation by `Accept`: browsers get pages, programs JSON.

use axum::http::{HeaderMap, header};

/// Whether the client names HTML among what it accepts, as browsers do.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|range| {
        let (kind, parameters) = range.split_once(';').unwrap_or((range, ""));
        let is_refused = parameters.split(';').any(|parameter| matches!(parameter.trim(), "q=0" | "q=0.0" | "q=0.00"));
        kind.trim().eq_ignore_ascii_case("text/html") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn browsers_name_html() {
        for (accepted, wants) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/json, TEXT/HTML;q=0.1", true),
            ("*/*", false),
            ("application/json", false),
            ("text/html; q=0, */*", false),
            ("text/htmlx", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_str(accepted).unwrap());
            assert_eq!(wants_page(&headers), wants, "{accepted}");
        }
        assert!(!wants_page(&HeaderMap::new()));
    }
}
