//! HTTP capabilities: which requests one allows, and the intersection of two.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn capability(hosts: &[&str], methods: &[&str]) -> HttpCapability {
    serde_json::from_value(serde_json::json!({ "hosts": hosts, "methods": methods, "plain": true })).unwrap()
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

#[test]
fn http_needs_a_declaration_and_a_grant_of_its_own() {
    let plain = capability(&["api.example.com"], &["GET"]);
    let encrypted = HttpCapability { plain: false, ..plain.clone() };
    for (declared, granted, allowed) in
        [(&plain, &plain, true), (&plain, &encrypted, false), (&encrypted, &plain, false)]
    {
        let both = declared.intersect(granted).unwrap();
        assert_eq!(both.allows("GET", "http://api.example.com/"), allowed);
        assert!(both.allows("GET", "https://api.example.com/"));
    }
    let url = Url::parse("http://api.example.com/?key=1").unwrap();
    let refusal = encrypted.refusal("GET", &url).unwrap();
    assert!(refusal.contains("`plain = true` in [capabilities.http]") && !refusal.contains("key"), "{refusal}");
    // What is not said is not shown.
    assert!(serde_json::to_value(&encrypted).unwrap().get("plain").is_none());
}

#[test]
fn headers_are_for_hosts_that_are_declared() {
    let declared = |headers: serde_json::Value| -> Result<(), (String, String)> {
        let hosts = ["api.example.com", "*.example.org", "api.example.com:8443"];
        let http: HttpCapability =
            serde_json::from_value(serde_json::json!({ "hosts": hosts, "headers": headers })).unwrap();
        http.check()
    };
    let bearer = serde_json::json!({ "authorization": "Bearer {secret:KEY}" });
    for host in ["api.example.com", "a.example.org", "*.b.example.org", "*.example.org", "api.example.com:8443"] {
        assert_eq!(declared(serde_json::json!({ host: bearer })), Ok(()), "{host}");
    }
    for host in ["example.org", "*.example.com", "api.example.com:443", "evil.example"] {
        let (key, _) = declared(serde_json::json!({ host: bearer })).unwrap_err();
        assert_eq!(key, format!("headers.{host}"));
    }
    for name in ["Host", "range", "accept-encoding", "a b", ""] {
        assert!(declared(serde_json::json!({ "api.example.com": { name: "{secret:KEY}" } })).is_err(), "{name}");
    }
    let twice = serde_json::json!({ "*.example.org": bearer, "a.example.org": { "Authorization": "{secret:OTHER}" } });
    assert!(declared(twice).unwrap_err().1.contains("is declared twice"));
    let mut http = capability(&["api.example.com"], &["GET"]);
    assert_eq!(http.check_grant(), Ok(()));
    http.headers = serde_json::from_value(serde_json::json!({ "api.example.com": bearer })).unwrap();
    assert!(http.check_grant().unwrap_err().1.contains("belong to the plugin's settings"));
}
