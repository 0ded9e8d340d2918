//! The functions under fuzzing: parsers of untrusted texts, with their invariants. The targets of `fuzz/` call them
//! with generated texts, and an ordinary test with the corpus. Each returns whether the text was accepted.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use claimsmith_config::Network;
use claimsmith_domain::plugin_signature::{Signature, TrustedKey, verify};
use claimsmith_runtime::Manifest;
use claimsmith_runtime::json::{self, INCOMING, STORED};
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::search;
use claimsmith_web::request_info::client_address;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A function of this module.
pub type Target = fn(&[u8]) -> bool;

/// All of them, by the names of their targets.
pub const TARGETS: [(&str, Target); 7] = [
    ("form", form),
    ("forwarded", forwarded),
    ("json", json_text),
    ("manifest", manifest),
    ("registry", registry),
    ("search", list_search),
    ("signature", signature),
];

/// The reference of a plugin in a registry, or the manifest that a registry answers with.
#[must_use]
pub fn registry(input: &[u8]) -> bool {
    match std::str::from_utf8(input) {
        Ok(text) if text.starts_with("oci://") => claimsmith_cli::accepts_reference(text),
        _ => claimsmith_cli::accepts_manifest(input),
    }
}

/// The body of a token request: JSON when it begins with a brace.
#[must_use]
pub fn form(body: &[u8]) -> bool {
    let content_type = if body.starts_with(b"{") { "application/json" } else { "application/x-www-form-urlencoded" };
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
    let reading = pin!(Form::read(&headers, Body::from(body.to_vec())));
    let Poll::Ready(read) = reading.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a body that is there is not waited for");
    };
    let Ok(form) = read else { return false };
    for name in ["grant_type", "scope", "resource"] {
        let count = form.all(name).inspect(|value| assert!(!value.is_empty() && !value.contains('\0'))).count();
        assert!(count <= 100, "{count} of {name}");
        assert_eq!(form.one(name).is_err(), count > 1, "{name}");
    }
    true
}

/// The lines of `Forwarded` and, in front of them, of `X-Forwarded-For`; an empty line parts them.
#[must_use]
pub fn forwarded(lines: &[u8]) -> bool {
    let (proxy, stranger) = (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
    let trusted: Vec<Network> = ["10.0.0.0/8", "fd00::/8"].iter().map(|text| text.parse().unwrap()).collect();
    let mut headers = HeaderMap::new();
    let mut name = HeaderName::from_static("x-forwarded-for");
    for line in lines.split(|byte| *byte == b'\n') {
        if line.is_empty() {
            name = header::FORWARDED;
        } else if let Ok(value) = HeaderValue::from_bytes(line) {
            headers.append(&name, value);
        }
    }
    assert_eq!(client_address(stranger, &headers, &trusted), stranger, "nobody is believed who is not trusted");
    client_address(proxy, &headers, &trusted) != proxy
}

/// A JSON text from elsewhere.
#[must_use]
pub fn json_text(text: &[u8]) -> bool {
    let Ok(value) = json::read::<Value>(text, INCOMING) else { return false };
    assert!(depth(&value) <= INCOMING.depth);
    let written = serde_json::to_string(&value).unwrap();
    // What was let in can be stored, and is read back.
    json::read::<Value>(&written, STORED).unwrap();
    true
}

/// The levels of lists and objects in a value.
fn depth(value: &Value) -> usize {
    let (mut deepest, mut open) = (0, vec![(value, 1)]);
    while let Some((value, level)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, level + 1))),
            _ => continue,
        }
        deepest = deepest.max(level);
    }
    deepest
}

/// A plugin's manifest: JSON when it begins with a brace.
#[must_use]
pub fn manifest(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let parse = if text.starts_with('{') { Manifest::parse_json } else { Manifest::parse };
    match parse("fuzzed.toml", &text) {
        Ok(manifest) => {
            manifest.validate("fuzzed.toml").unwrap();
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("fuzzed.toml"), "{error}");
            false
        }
    }
}

/// The query of a list that is searched.
#[must_use]
pub fn list_search(query: &[u8]) -> bool {
    const FIELDS: [&str; 3] = ["id", "name", "primaryEmail"];
    let query = String::from_utf8_lossy(query);
    let Ok(search) = search::parse(Some(&query), &FIELDS) else { return false };
    for term in search.iter().flat_map(|search| &search.terms) {
        assert!((1..=20).contains(&term.values.len()) && term.fields.iter().all(|field| FIELDS.contains(field)));
        assert!(term.values.iter().all(|value| (1..=256).contains(&value.chars().count())));
    }
    true
}

/// The signature of a plugin: a bundle when it begins with a brace.
#[must_use]
pub fn signature(text: &[u8]) -> bool {
    const KEYS: [&str; 2] = [
        "ed=MCowBQYDK2VwAyEANyIvNdc1NX5kpWbVWt8MF6iO2ejsoWblslOq5blQ4Sw=",
        "ec=MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC1PVgVc1DOI5esXD4/+ikOSBcakYd9lpbPNErZjsyDXVPVddk9QuM2zdfYiLPZy\
         DUOdugztK+jkcaY4CXfLrHg==",
    ];
    let keys = KEYS.map(|text| TrustedKey::from_text(text).unwrap());
    assert!(verify(&keys, b"never signed", Some(text), 0).is_err(), "nobody signed this");
    Signature::parse(text).is_ok()
}
