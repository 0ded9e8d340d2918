//! An authenticator in software: makes a passkey, and proves it (`WebAuthn` Level 3), rightly or wrongly.

use claimsmith_services::tokens::{self, Algorithm, generate_key, public_jwk};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use jsonwebtoken::{EncodingKey, crypto};
use serde_json::{Value, json};

/// The user is there, and was verified.
const USER_VERIFIED: u8 = 0x05;
/// The passkey can be, and is, copied from device to device.
const SYNCED: u8 = 0x18;
/// The data of a new passkey follow.
const HAS_CREDENTIAL: u8 = 0x40;

/// A passkey with its private key.
#[derive(Clone)]
pub struct Authenticator {
    /// The page that asks, as the browser says.
    pub origin: String,
    /// The relying party, as the browser found it.
    pub relying_party: String,
    /// What it says of its user, and of itself.
    pub flags: u8,
    /// The signature counter, which grows with each use; at zero it stays.
    pub counter: u32,
    /// The id of its passkey.
    pub credential_id: Vec<u8>,
    user_handle: Option<Value>,
    jwk: Value,
    key: EncodingKey,
}

impl Authenticator {
    /// A new one, for the server at this address.
    #[must_use]
    pub fn new(base_url: &str) -> Self {
        let pkcs8 = generate_key(Algorithm::ES256).unwrap();
        Self {
            origin: base_url.to_owned(),
            relying_party: url::Url::parse(base_url).unwrap().domain().unwrap().to_owned(),
            flags: USER_VERIFIED,
            counter: 1,
            credential_id: claimsmith_domain::random::bytes::<32>().unwrap().to_vec(),
            user_handle: None,
            jwk: public_jwk(Algorithm::ES256, &pkcs8).unwrap(),
            key: EncodingKey::from_ec_der(&pkcs8),
        }
    }

    /// One that is copied from device to device, as those of phones: without a counter.
    #[must_use]
    pub fn synced(base_url: &str) -> Self {
        Self { flags: USER_VERIFIED | SYNCED, counter: 0, ..Self::new(base_url) }
    }

    /// Its passkey's id, as on the wire.
    #[must_use]
    pub fn id(&self) -> String {
        BASE64URL_NOPAD.encode(&self.credential_id)
    }

    /// What `navigator.credentials.create` answers.
    pub fn create(&mut self, options: &Value) -> Value {
        self.user_handle = Some(options["user"]["id"].clone());
        let client_data = self.client_data("webauthn.create", options);
        let mut data = self.authenticator_data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential_id.len()).unwrap().to_be_bytes());
        data.extend(&self.credential_id);
        data.extend(self.cose_key());
        // {"fmt": "none", "attStmt": {}, "authData": …}
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        attestation.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        attestation.extend(&data);
        let response = json!({
            "clientDataJSON": BASE64URL_NOPAD.encode(client_data.as_bytes()),
            "attestationObject": BASE64URL_NOPAD.encode(&attestation), "transports": ["internal"],
        });
        self.credential(&response)
    }

    /// What `navigator.credentials.get` answers.
    pub fn get(&mut self, options: &Value) -> Value {
        if self.counter > 0 {
            self.counter += 1;
        }
        let client_data = self.client_data("webauthn.get", options);
        let data = self.authenticator_data(0);
        let mut signed = data.clone();
        signed.extend(digest(&client_data));
        let signature = crypto::sign(&signed, &self.key, jsonwebtoken::Algorithm::ES256).unwrap();
        let response = json!({
            "clientDataJSON": BASE64URL_NOPAD.encode(client_data.as_bytes()),
            "authenticatorData": BASE64URL_NOPAD.encode(&data),
            "signature": BASE64URL_NOPAD.encode(&der(&BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap())),
            "userHandle": self.user_handle,
        });
        self.credential(&response)
    }

    fn credential(&self, response: &Value) -> Value {
        json!({
            "type": "WebAuthn", "id": self.id(), "rawId": self.id(), "response": response,
            "authenticatorAttachment": "platform", "clientExtensionResults": {},
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> String {
        let challenge = &options["challenge"];
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false }).to_string()
    }

    fn authenticator_data(&self, more: u8) -> Vec<u8> {
        let mut data = digest(&self.relying_party);
        data.push(self.flags | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// A COSE key of ES256 on P-256.
    fn cose_key(&self) -> Vec<u8> {
        let coordinate = |name: &str| BASE64URL_NOPAD.decode(self.jwk[name].as_str().unwrap().as_bytes()).unwrap();
        let mut key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20".to_vec();
        key.extend(coordinate("x"));
        key.extend(b"\x22\x58\x20");
        key.extend(coordinate("y"));
        key
    }
}

fn digest(text: &str) -> Vec<u8> {
    HEXLOWER.decode(tokens::hash(text).as_bytes()).unwrap()
}

/// An ECDSA signature in DER: a sequence of two integers.
fn der(signature: &[u8]) -> Vec<u8> {
    let integer = |bytes: &[u8]| {
        let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len() - 1);
        let mut number = bytes[start..].to_vec();
        if number[0] >= 0x80 {
            number.insert(0, 0);
        }
        [vec![2, u8::try_from(number.len()).unwrap()], number].concat()
    };
    let (r, s) = signature.split_at(32);
    let body = [integer(r), integer(s)].concat();
    [vec![0x30, u8::try_from(body.len()).unwrap()], body].concat()
}
