//! HTTP capabilities: which requests one allows, and the intersection of two.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn capability(hosts: &[&str], methods: &[&str]) -> HttpCapability {
    serde_json::from_value(serde_json::json!({ "hosts": hosts, "methods": methods })).unwrap()
}

#[test]
fn a_host_is_matched_with_its_port() {
    let table = [
        ("api.example.com", "https://api.example.com/a", true),
        ("api.example.com", "http://API.Example.com:80", true),
        ("api.example.com", "https://api.example.com:443", true),
        ("api.example.com", "http://api.example.com:443", false),
        ("api.example.com", "https://x.api.example.com", false),
        ("api.example.com", "https://api.example.com.", false),
        ("api.example.com:8080", "http://api.example.com:8080", true),
        ("api.example.com:8080", "http://api.example.com", false),
        ("*.example.com", "https://a.example.com", true),
        ("*.example.com", "https://a.b.example.com", true),
        ("*.example.com", "https://example.com", false),
        ("*.example.com", "https://.example.com", false),
        ("*.example.com", "https://badexample.com", false),
        ("bücher.example", "https://xn--bcher-kva.example/", true),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/", true),
        ("127.0.0.1:8080", "http://0x7f.1:8080/", true),
        ("127.0.0.1:8080", "http://localhost:8080/", false),
        ("[::1]:8080", "http://[0:0::1]:8080/", true),
        ("[::1]", "http://[::1]/", true),
        ("api.example.com", "ftp://api.example.com", false),
        ("api.example.com", "https://user@api.example.com", false),
        ("api.example.com", "/a", false),
    ];
    for (host, url, allowed) in table {
        assert_eq!(capability(&[host], &["GET"]).allows("GET", url), allowed, "{host} and {url}");
    }
    let posts = capability(&["api.example.com"], &["POST"]);
    assert!(posts.allows("POST", "https://api.example.com") && !posts.allows("GET", "https://api.example.com"));
}

#[test]
fn what_is_no_host_is_refused() {
    for text in
        ["", "*", "*.", "*.1.2.3.4", "a.*.example.com", "a b", "a/b", "u@a", "a:0", "a:70000", "a:x", "::1", "http://a"]
    {
        assert!(text.parse::<HostPattern>().is_err(), "{text}");
    }
    for text in ["api.example.com", "*.example.com:8443", "127.0.0.1:8080", "[::1]:8080", "localhost"] {
        assert_eq!(text.parse::<HostPattern>().unwrap().to_string(), text);
    }
}

#[test]
fn an_intersection_allows_what_both_allow() {
    let declared = capability(&["*.example.com", "api.example.org", "internal:8080"], &["GET", "POST"]);
    let granted = HttpCapability {
        calls: 2,
        kib: 512,
        ..capability(&["api.example.com", "*.b.example.com", "*.example.org", "internal"], &["POST", "PUT"])
    };
    let both = declared.intersect(&granted).unwrap();
    let hosts: Vec<_> = both.hosts.iter().map(ToString::to_string).collect();
    assert_eq!(hosts, ["api.example.com", "*.b.example.com", "api.example.org"]);
    assert_eq!((both.methods, both.calls, both.kib, both.ms), (vec!["POST".to_owned()], 2, 256, 500));
    assert_eq!(declared.intersect(&declared).unwrap(), declared);
    assert_eq!(declared.intersect(&capability(&["example.net"], &["GET"])), None);
    assert_eq!(declared.intersect(&capability(&["*.example.com"], &["PUT"])), None);
}
