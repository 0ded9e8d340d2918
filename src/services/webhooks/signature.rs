//! Signatures of deliveries: Standard Webhooks 1.0 (`v1`, HMAC-SHA256, and `v1a`, Ed25519) for every key that is valid
//! now, and `logto-signature-sha-256` for receivers of that convention (`docs/decisions/webhook-delivery.md`).

use super::signing_key::HookSigningKey;
use aws_lc_rs::hmac;
use data_encoding::{BASE64, HEXLOWER};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// The header of the older convention.
pub const LEGACY: &str = "logto-signature-sha-256";

/// The headers that name and sign a delivery. `body` is what goes over the wire; `at` is in Unix milliseconds.
#[must_use]
pub fn headers(keys: &[Arc<HookSigningKey>], id: &str, at: i64, body: &[u8]) -> Vec<(String, String)> {
    let timestamp = at.div_euclid(1000);
    // In one piece, as Ed25519 wants it.
    let signed = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    let mut signatures = Vec::with_capacity(keys.len() * 2);
    for key in keys {
        signatures.push(format!("v1,{}", BASE64.encode(mac(key, &signed).as_ref())));
        if let Some(pair) = key.pair() {
            signatures.push(format!("v1a,{}", BASE64.encode(pair.sign(&signed).as_ref())));
        }
    }
    let mut headers = vec![
        ("webhook-id".to_owned(), id.to_owned()),
        ("webhook-timestamp".to_owned(), timestamp.to_string()),
        ("webhook-signature".to_owned(), signatures.join(" ")),
    ];
    if let Some(current) = keys.first() {
        headers.push((LEGACY.to_owned(), HEXLOWER.encode(mac(current, body).as_ref())));
    }
    headers
}

/// How far the time of a delivery may be from ours, in milliseconds (Standard Webhooks).
const TOLERANCE_MS: i64 = 300_000;

/// Whether one of these keys signed a delivery, not long ago: `header` looks up what came with it.
#[must_use]
pub fn verify<'h>(keys: &[Arc<HookSigningKey>], header: impl Fn(&str) -> &'h str, body: &[u8], now: i64) -> bool {
    let at = header("webhook-timestamp").parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000));
    let Some(at) = at.filter(|at| at.abs_diff(now) <= TOLERANCE_MS.unsigned_abs()) else { return false };
    let expected = headers(keys, header("webhook-id"), at, body);
    let expected = expected.iter().filter(|(name, _)| name == "webhook-signature").flat_map(|(_, all)| all.split(' '));
    let expected: Vec<&str> = expected.collect();
    let is_expected = |text: &str| expected.iter().any(|known| bool::from(known.as_bytes().ct_eq(text.as_bytes())));
    header("webhook-signature").split(' ').any(|text| text.starts_with("v1,") && is_expected(text))
}

fn mac(key: &HookSigningKey, text: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.text().as_bytes()), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};

    fn value<'h>(headers: &'h [(String, String)], name: &str) -> &'h str {
        headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    #[test]
    fn what_a_key_signed_is_known_by_it_for_minutes() -> Result<(), Box<dyn std::error::Error>> {
        let (key, other) = ([HookSigningKey::generate()?.into()], [HookSigningKey::generate()?.into()]);
        let sent = headers(&key, "msg_1", 1_795_257_406_000, b"{}");
        let header = |name: &str| value(&sent, name);
        assert!(verify(&key, header, b"{}", 1_795_257_406_000 + TOLERANCE_MS));
        assert!(!verify(&key, header, b"{}", 1_795_257_406_001 + TOLERANCE_MS));
        assert!(!verify(&key, header, b"{ }", 1_795_257_406_000));
        assert!(!verify(&other, header, b"{}", 1_795_257_406_000));
        assert!(!verify(&key, |_: &str| "", b"{}", 1_795_257_406_000));
        Ok(())
    }

    #[test]
    fn each_valid_key_signs_id_time_and_body() -> Result<(), Box<dyn std::error::Error>> {
        let keys = [HookSigningKey::generate()?.into(), HookSigningKey::generate()?.into()];
        let headers = headers(&keys, "msg_1", 1_795_257_406_999, b"{}");
        assert_eq!(value(&headers, "webhook-timestamp"), "1795257406");
        let signatures: Vec<&str> = value(&headers, "webhook-signature").split(' ').collect();
        assert_eq!(
            signatures.iter().map(|text| text.split(',').next()).collect::<Vec<_>>(),
            [Some("v1"), Some("v1a"), Some("v1"), Some("v1a")]
        );
        for (index, key) in keys.iter().enumerate() {
            let public = BASE64.decode(key.public_key().unwrap_or_default().trim_start_matches("whpk_").as_bytes())?;
            let signature = BASE64.decode(signatures[index * 2 + 1].trim_start_matches("v1a,").as_bytes())?;
            UnparsedPublicKey::new(&ED25519, public).verify(b"msg_1.1795257406.{}", &signature)?;
            let secret = BASE64.decode(key.secret().trim_start_matches("whsec_").as_bytes())?;
            let mac = BASE64.decode(signatures[index * 2].trim_start_matches("v1,").as_bytes())?;
            hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, &secret), b"msg_1.1795257406.{}", &mac)?;
        }
        let legacy = HEXLOWER.decode(value(&headers, LEGACY).as_bytes())?;
        hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, keys[0].text().as_bytes()), b"{}", &legacy)?;
        Ok(())
    }
}
