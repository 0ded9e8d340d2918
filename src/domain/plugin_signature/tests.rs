//! Fixtures were made with OpenSSL; the Ed25519ph ones by RFC 8032, which OpenSSL 3.0 lacks.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};

const EC: &str = "-----BEGIN PUBLIC KEY-----\n\
                  MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC1PVgVc1DOI5esXD4/+ikOSBcakY\n\
                  d9lpbPNErZjsyDXVPVddk9QuM2zdfYiLPZyDUOdugztK+jkcaY4CXfLrHg==\n\
                  -----END PUBLIC KEY-----\n";
const EC_TEXT: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC1PVgVc1DOI5esXD4/+ikOSBcakYd9lpbPNErZjsyDXVPVddk9QuM2zd\
                       fYiLPZyDUOdugztK+jkcaY4CXfLrHg==";
const ED: &str = "-----BEGIN PUBLIC KEY-----\n\
                  MCowBQYDK2VwAyEANyIvNdc1NX5kpWbVWt8MF6iO2ejsoWblslOq5blQ4Sw=\n\
                  -----END PUBLIC KEY-----\n";
const P384: &str = "-----BEGIN PUBLIC KEY-----\n\
                    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEhy+6wXUH2iveDnOeoGw0VU+e6uMTVvOI\n\
                    CZuPVJ7SucCxR+3KS4E4q0c+dQWdbg1dn/crqmdonjv+VOH+81stgXtkKIxSitnn\n\
                    PpaPlNl6NohWikjXeb88F7fLKiR0QvjW\n\
                    -----END PUBLIC KEY-----\n";
const SOURCE: &[u8] = b"export const getCustomJwtClaims = async () => ({ signed: true });\n";
const BY_EC: &str = "MEUCICjXBs/sUYBpmx+9KZhOE4aT/4TpIn26cR8FLRjJ/5TqAiEAs91nvbGtkKRBZOkAx3pbkb/QW6BRzO32lCdE5AXQ7zM=";
const BY_ED: &str = "KWyS87yFpup5rZew4/PxvQk2388RId9bO/EkFf9BGUOxTAYwAL1tY4+l0NKSJUt9c7Lii771esT0irnerSXuBA==";
const BY_ED_PH: &str = "R0yXYDTufH9H1ujP1d8aBxLCTlnEvEfQ75o7xVqv2TikH6GEC1+Ad8ziEVBstbFKmc9pzx/9iGgdnbOAa5KoCQ==";
const BY_ANOTHER: &str =
    "MEUCIGY3aOXfdZxb4UO5SwMLdfIsNPVncoBTncdQl6GttDuXAiEAspeek3S4+k5C+UDOLQtrY6z14mJYhmyndY+OgI48Ad0=";
/// 2027-01-01T00:00:00Z
const EXPIRY: i64 = 1_798_761_600_000;

fn keys() -> Vec<TrustedKey> {
    vec![key("release", EC, Some("2027-01-01")), key("ci", ED, None)]
}

fn key(name: &str, pem: &str, expires: Option<&str>) -> TrustedKey {
    TrustedKey::new(name, pem, expires).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn bundle(signature: &str, digest: &Value, hint: &str) -> Value {
    json!({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": { "publicKey": { "hint": hint }, "tlogEntries": [] },
        "messageSignature": { "messageDigest": digest, "signature": signature },
    })
}

fn sha256(message: &[u8]) -> Value {
    json!({ "algorithm": "SHA2_256", "digest": BASE64.encode(&Sha256::digest(message)) })
}

/// The name of the key that signed the source, or why it is not known.
fn signer(signature: &str, now: i64) -> Result<String, Distrust> {
    verify(&keys(), SOURCE, Some(signature.as_bytes()), now).map(|key| key.name().to_owned())
}

#[test]
fn what_cosign_writes_is_verified() {
    let sha512 = json!({ "algorithm": "SHA2_512", "digest": BASE64.encode(&Sha512::digest(SOURCE)) });
    let hint = keys()[0].hint();
    assert_eq!(hint, "ef7E5wGyQ0543n+g8Yz9Z3Vlg0Qyt5UKPd9UC/HpBLQ=");
    for (signature, name) in [
        (BY_EC.to_owned(), "release"),
        (format!("{BY_EC}\n"), "release"),
        (BY_ED.to_owned(), "ci"),
        (BY_ED_PH.to_owned(), "ci"),
        (bundle(BY_EC, &sha256(SOURCE), &hint).to_string(), "release"),
        (bundle(BY_EC, &Value::Null, "").to_string(), "release"),
        (bundle(BY_ED_PH, &sha512, "whatever").to_string(), "ci"),
    ] {
        assert_eq!(signer(&signature, EXPIRY - 1).as_deref(), Ok(name), "{signature}");
    }
}

#[test]
fn a_published_vector_of_ed25519ph_is_verified() {
    let der = ["302a300506032b6570032100", "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf"];
    let signature = "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aa\
                     a10b8c61e636062aaad11c2a26083406";
    let key = TrustedKey::from_text(&format!("rfc8032={}", BASE64.encode(&hex(&der.concat())))).unwrap();
    assert!(key.has_signed(b"abc", &hex(signature)));
    assert!(!key.has_signed(b"abd", &hex(signature)));
}

fn hex(text: &str) -> Vec<u8> {
    HEXLOWER.decode(text.as_bytes()).unwrap()
}

#[test]
fn everything_else_is_refused_with_its_reason() {
    let ours = keys()[0].hint();
    for (signature, now, reason) in [
        (BY_ANOTHER.to_owned(), 0, Distrust::NoKey),
        (bundle(BY_ANOTHER, &sha256(SOURCE), "").to_string(), 0, Distrust::NoKey),
        (bundle(BY_ANOTHER, &sha256(SOURCE), "Px40").to_string(), 0, Distrust::UnknownKey),
        (bundle(BY_ANOTHER, &sha256(SOURCE), &ours).to_string(), 0, Distrust::Wrong("release".to_owned())),
        (bundle(BY_EC, &sha256(b"another"), &ours).to_string(), 0, Distrust::OtherFile),
        (BY_EC.to_owned(), EXPIRY, Distrust::Expired { name: "release".to_owned(), expires: EXPIRY }),
    ] {
        assert_eq!(signer(&signature, now), Err(reason), "{signature}");
    }
    assert_eq!(verify(&keys(), SOURCE, None, 0), Err(Distrust::Unsigned));
    assert_eq!(verify(&keys(), b"another", Some(BY_EC.as_bytes()), 0), Err(Distrust::NoKey));
    assert_eq!(verify(&[], SOURCE, Some(BY_EC.as_bytes()), 0), Err(Distrust::NoKey));
    let expired = signer(BY_EC, EXPIRY).map_err(|error| error.to_string());
    assert_eq!(expired, Err("it is signed with key release, which expired at 2027-01-01T00:00:00.000Z".to_owned()));
}

/// A key under another name that has not expired still counts.
#[test]
fn a_renewed_key_verifies_what_it_signed_before() {
    let keys = [key("release", EC, Some("2027-01-01")), key("renewed", EC, None)];
    assert_eq!(verify(&keys, SOURCE, Some(BY_EC.as_bytes()), EXPIRY).map(TrustedKey::name), Ok("renewed"));
}

#[test]
fn texts_that_are_no_signature_are_refused() {
    let with = |change: fn(&mut Value)| {
        let mut bundle = bundle(BY_EC, &sha256(SOURCE), "");
        change(&mut bundle);
        bundle.to_string()
    };
    for (text, error) in [
        (String::new(), FormatError::Unknown),
        ("not base64!".to_owned(), FormatError::Unknown),
        ("A".repeat(1024), FormatError::Unknown),
        ("A".repeat(MAX_SIGNATURE_BYTES + 1), FormatError::TooLarge),
        ("{".to_owned(), FormatError::NotABundle),
        ("{}".to_owned(), FormatError::NotABundle),
        (format!("{{\"a\":{}", "[".repeat(30_000)), FormatError::NotABundle),
        (json!({ "base64Signature": BY_EC, "cert": "", "rekorBundle": {} }).to_string(), FormatError::OldBundle),
        (with(|bundle| bundle["mediaType"] = json!("application/json")), FormatError::NotABundle),
        (with(|bundle| bundle["messageSignature"] = Value::Null), FormatError::NotABundle),
        (with(|bundle| bundle["messageSignature"]["signature"] = json!("%")), FormatError::NotABundle),
        (with(|bundle| bundle["messageSignature"]["signature"] = json!(7)), FormatError::NotABundle),
        (with(|bundle| bundle["verificationMaterial"] = json!({})), FormatError::NotABundle),
        (with(|bundle| bundle["verificationMaterial"] = json!({ "certificate": {} })), FormatError::Certificate),
        (with(|bundle| bundle["dsseEnvelope"] = json!({})), FormatError::Attestation),
        (
            with(|bundle| bundle["messageSignature"]["messageDigest"]["algorithm"] = json!("SHA2_512")),
            FormatError::Digest,
        ),
        (with(|bundle| bundle["messageSignature"]["messageDigest"]["algorithm"] = json!("MD5")), FormatError::Digest),
    ] {
        assert_eq!(Signature::parse(text.as_bytes()), Err(error), "{}", text.get(..200).unwrap_or(&text));
    }
    assert_eq!(Signature::parse(b"\xff\xfe"), Err(FormatError::Unknown));
}

#[test]
fn keys_of_other_kinds_and_bad_names_are_refused() {
    let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n";
    for (name, pem, expires, error) in [
        ("", EC, None, KeyError::Name),
        ("a b", EC, None, KeyError::Name),
        ("a=b", EC, None, KeyError::Name),
        ("release", EC, Some("next year"), KeyError::Expiry),
        ("release", EC, Some("2027-13-01"), KeyError::Expiry),
        ("release", EC, Some("2027-01-01T00:00:00+01:00"), KeyError::Expiry),
        ("release", "", None, KeyError::Pem),
        ("release", EC_TEXT, None, KeyError::Pem),
        ("release", private, None, KeyError::Pem),
        ("release", P384, None, KeyError::Algorithm),
    ] {
        assert_eq!(TrustedKey::new(name, pem, expires), Err(error), "{name:?} {expires:?} {pem}");
    }
    assert_eq!(TrustedKey::new("two", &format!("{EC}{ED}"), None), Err(KeyError::Pem));
    for (text, error) in [
        ("release", KeyError::Text),
        ("release=", KeyError::Algorithm),
        ("release=MFkw!", KeyError::Text),
        ("=MFkw", KeyError::Name),
    ] {
        assert_eq!(TrustedKey::from_text(text), Err(error), "{text}");
    }
}

#[test]
fn a_key_of_one_text_is_written_as_it_is_read() {
    let text = format!("release@2027-01-01T00:00:00.000Z={EC_TEXT}");
    let key = TrustedKey::from_text(&text).unwrap();
    assert_eq!(key, self::key("release", EC, Some("2027-01-01T00:00:00Z")));
    assert_eq!(key.to_string(), text);
    assert_eq!((key.expires(), key.has_expired(EXPIRY - 1), key.has_expired(EXPIRY)), (Some(EXPIRY), false, true));
}

#[test]
fn a_list_of_keys_has_different_names_and_known_members() {
    let read = |keys: Value| serde_json::from_value::<TrustedKeys>(keys).map_err(|error| error.to_string());
    let both = json!([{ "name": "release", "pem": EC, "expires": "2027-01-01" }, format!("short={EC_TEXT}")]);
    assert_eq!(read(both).unwrap().len(), 2);
    for (keys, reason) in [
        (json!([{ "name": "a", "pem": EC }, { "name": "a", "pem": ED }]), "two keys are called a"),
        (json!([{ "name": "a", "pem": EC, "algorithm": "es256" }]), "no member algorithm"),
        (json!([{ "name": "a" }]), "needs name and pem"),
        (json!([{ "name": "a", "pem": P384 }]), "Ed25519 or ECDSA P-256 (key \"a\")"),
        (json!([7]), "a key is a table"),
        (json!(vec![format!("a={EC_TEXT}"); 17]), "17 keys; at most 16"),
    ] {
        let error = read(keys).unwrap_err();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains("MFkw"), "{error}");
    }
}

/// What a registry had attached to a manifest with this source: signed by the key of [`EC`].
fn registry(change: fn(&mut Value)) -> String {
    let manifest = r#"{"schemaVersion":2,"layers":[{"mediaType":"application/vnd.claimsmith.plugin.source.v1+javascript","digest":"sha256:b2788a1fd615fcb04deb8082b30c8a618e338ce4ba4ff150651f34b077651664","size":66}]}"#;
    let payload = r#"{"critical":{"identity":{"docker-reference":"localhost:5000/stamp"},"image":{"docker-manifest-digest":"sha256:500fff4b0d29a62fa40f26da795265793ff8cb98756107c53c8b2732282f9d28"},"type":"cosign container image signature"},"optional":null}"#;
    let mut document = json!({
        "kind": "claimsmith.registry-signature.v1",
        "manifest": BASE64.encode(manifest.as_bytes()),
        "signatures": [{ "payload": BASE64.encode(payload.as_bytes()), "signature": "MEUCIAXl+PCm5g1pPkfz+gONYKFjLPPQnxm9UzMSPHqyQoQ1AiEAxSCQb+UOigW/9dxoiYylcQk6Ya8e2JYO6Qgb+dBHVvs=" }],
    });
    change(&mut document);
    document.to_string()
}

#[test]
fn what_a_registry_attached_is_of_the_source_that_the_manifest_names() {
    let whole = registry(|_| {});
    assert_eq!(signer(&whole, 0).as_deref(), Ok("release"));
    assert_eq!(verify(&keys(), b"another", Some(whole.as_bytes()), 0), Err(Distrust::OtherFile));
    let signer = |change: fn(&mut Value)| signer(&registry(change), 0);
    // Another manifest than the one that was signed names no source of anybody.
    let foreign = |document: &mut Value| document["manifest"] = json!(BASE64.encode(b"{\"layers\":[]}"));
    assert_eq!(signer(foreign), Err(Distrust::OtherFile));
    assert_eq!(signer(|document| document["signatures"] = json!([])), Err(Distrust::OtherFile));
    assert_eq!(signer(|document| document["signatures"][0]["signature"] = json!(BY_EC)), Err(Distrust::NoKey));
    let unreadable: [fn(&mut Value); 4] = [
        |document| document["kind"] = json!("another"),
        |document| document["manifest"] = json!("e30="),
        |document| document["signatures"][0]["payload"] = json!("e30="),
        |document| document["signatures"] = json!(vec![document["signatures"][0].clone(); 17]),
    ];
    for change in unreadable {
        assert_eq!(signer(change), Err(Distrust::Format(FormatError::Registry)));
    }
}
