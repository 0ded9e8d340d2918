//! What is wrong with a redirect URI, in words: the API says that one is not acceptable, this says why. The script
//! `uris.js` says the same while somebody types.

use super::model::Kind;
use url::Url;

/// Schemes to which a browser gives a meaning of its own.
const OF_BROWSERS: [&str; 12] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "ftp",
    "javascript",
    "mailto",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// What is wrong with the first line that is wrong.
pub(super) fn explain(kind: Kind, lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| problem(kind, line).map(|problem| format!("{line}: {problem}")))
}

fn problem(kind: Kind, uri: &str) -> Option<&'static str> {
    let Ok(url) = Url::parse(uri) else {
        return Some("this is no absolute URI; it begins with https:// or http://localhost");
    };
    if url.fragment().is_some() {
        return Some("a redirect URI has no fragment (#…)");
    }
    if matches!(url.scheme(), "http" | "https") {
        return None;
    }
    if OF_BROWSERS.contains(&url.scheme()) {
        return Some("browsers give this scheme a meaning of their own");
    }
    let may_be_private = matches!(kind, Kind::Native | Kind::SinglePage);
    (!may_be_private).then_some("only native and single-page applications have a scheme of their own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_line_is_named() {
        let lines = ["https://app.test/callback", "https://app.test/#here", "/callback"];
        let found = explain(Kind::Traditional, &lines);
        assert!(found.is_some_and(|text| text.starts_with("https://app.test/#here: ") && text.contains("fragment")));
        assert!(explain(Kind::Traditional, &["/callback"]).is_some_and(|text| text.contains("absolute")));
        assert!(explain(Kind::Traditional, &["com.example:/callback"]).is_some_and(|text| text.contains("native")));
        assert_eq!(explain(Kind::Native, &["com.example:/callback", "http://127.0.0.1/x"]), None);
        assert!(explain(Kind::Native, &["javascript:alert(1)"]).is_some_and(|text| text.contains("browsers")));
    }
}
