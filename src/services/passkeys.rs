//! The ceremonies of passkeys (`WebAuthn` Level 3), by `webauthn-rs`: the options for browsers, and the verification of
//! their responses. The relying party is the host of the configured base URL, never that of a request.

use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_config::BaseUrl;
use claimsmith_domain::id::UserId;
use claimsmith_json::{self as json, INCOMING};
use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;
use webauthn_rs::fake::{FakePasskeyDistribution, WebauthnFakeCredentialGenerator};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential, Uuid,
    WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// How `webauthn-rs` calls the type of a credential; the Interaction API says `WebAuthn`.
const CREDENTIAL_TYPE: &str = "public-key";

/// Creates options for passkeys, and verifies responses. Unavailable if the base URL has an IP address instead of a
/// name, for which browsers have no passkeys.
pub struct Passkeys(Option<Webauthn>);

/// The options for a browser, and the state that verifies its response, which stays on the server.
#[derive(Debug)]
pub struct Ceremony {
    /// `PublicKeyCredentialCreationOptions` or `PublicKeyCredentialRequestOptions`, as JSON.
    pub options: Value,
    /// The challenge and what goes with it.
    pub state: Value,
}

/// A passkey that was made.
#[derive(Debug)]
pub struct RegisteredPasskey {
    /// The authenticator's id for it, base64url.
    pub credential_id: String,
    /// The public key and the signature counter.
    pub credential: Value,
    /// Whether it is synced between devices.
    pub is_synced: bool,
}

/// The reason that there is no passkey.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server is reached by an address, not by a name.
    #[error("passkeys need a server that is reached by a name")]
    Unavailable,
    /// The response is malformed or invalid. The log of `webauthn-rs` has the details.
    #[error("the passkey is not verified")]
    Refused,
    /// A stored ceremony or passkey cannot be read.
    #[error("the stored passkey or ceremony cannot be read or written")]
    Kept(#[from] serde_json::Error),
    /// The library failed.
    #[error("the options of a passkey ceremony cannot be made")]
    Question(#[source] WebauthnError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
}

impl Passkeys {
    /// For a server with this base URL.
    #[must_use]
    pub fn new(base_url: &BaseUrl) -> Self {
        let origin = Url::parse(base_url.as_str()).ok();
        Self(origin.and_then(|origin| {
            let name = origin.domain()?;
            WebauthnBuilder::new(name, &origin).ok()?.rp_name(name).build().ok()
        }))
    }

    /// Whether browsers have passkeys for this server.
    #[must_use]
    pub fn are_possible(&self) -> bool {
        self.0.is_some()
    }

    /// Options for a new passkey of a user with this name, excluding the `known` ones (credential ids).
    pub fn ask_for_new(&self, user: &UserId, name: &str, known: &[String]) -> Result<Ceremony, Error> {
        let webauthn = self.0.as_ref().ok_or(Error::Unavailable)?;
        let known = known.iter().filter_map(|id| BASE64URL_NOPAD.decode(id.as_bytes()).ok()).collect();
        let (asked, state) =
            webauthn.start_passkey_registration(handle(user), name, name, Some(known)).map_err(Error::Question)?;
        let mut options = serde_json::to_value(&asked.public_key)?;
        // Discoverable, so that it can be found without a username. An authenticator without room for it reports that.
        if let Some(selection) = options.get_mut("authenticatorSelection").and_then(Value::as_object_mut) {
            selection.insert("residentKey".to_owned(), json!("required"));
            selection.insert("requireResidentKey".to_owned(), json!(true));
        }
        Ok(Ceremony { options, state: serde_json::to_value(state)? })
    }

    /// Verifies that a passkey was made.
    pub fn verify_new(&self, answer: Map<String, Value>, state: &Value) -> Result<RegisteredPasskey, Error> {
        let webauthn = self.0.as_ref().ok_or(Error::Unavailable)?;
        let state: PasskeyRegistration = serde_json::from_value(state.clone())?;
        let answer: RegisterPublicKeyCredential = read(answer)?;
        check(&answer.response.client_data_json)?;
        let made = webauthn.finish_passkey_registration(&answer, &state).map_err(refused)?;
        let credential = serde_json::to_value(&made)?;
        Ok(RegisteredPasskey {
            credential_id: BASE64URL_NOPAD.encode(made.cred_id().as_ref()),
            is_synced: credential.pointer("/cred/backup_eligible") == Some(&Value::Bool(true)),
            credential,
        })
    }

    /// Options for a passkey: one of `allowed` (credential ids), or any discoverable one if there are none.
    pub fn ask_for(&self, allowed: &[String]) -> Result<Ceremony, Error> {
        let webauthn = self.0.as_ref().ok_or(Error::Unavailable)?;
        let (asked, state) = webauthn.start_discoverable_authentication().map_err(Error::Question)?;
        let mut options = serde_json::to_value(&asked.public_key)?;
        let allowed: Vec<Value> = allowed.iter().map(|id| json!({ "type": CREDENTIAL_TYPE, "id": id })).collect();
        if let Some(options) = options.as_object_mut() {
            options.insert("allowCredentials".to_owned(), allowed.into());
        }
        Ok(Ceremony { options, state: serde_json::to_value(state)? })
    }

    /// Credential ids for users without passkeys, always the same ones for an identifier: so that they do not reveal
    /// who has a passkey.
    pub fn decoys(cipher: &Cipher, identifier: &str) -> Result<Vec<String>, Error> {
        let key = cipher.digest(Purpose::PasskeyDecoys, "decoys", "")?;
        let decoys = WebauthnFakeCredentialGenerator::<FakePasskeyDistribution>::new(&Sha256::digest(key));
        let made = decoys.and_then(|decoys| decoys.generate(identifier.as_bytes())).map_err(Error::Question)?;
        Ok(made.iter().map(|id| BASE64URL_NOPAD.encode(id.as_ref())).collect())
    }

    /// Verifies that a passkey was used: `stored`, which is `user`'s. Returns its new state to store. One whose counter
    /// did not grow is a copy (section 7.2 step 22).
    pub fn verify(
        &self,
        answer: Map<String, Value>,
        state: &Value,
        stored: &Value,
        user: &UserId,
    ) -> Result<Value, Error> {
        let webauthn = self.0.as_ref().ok_or(Error::Unavailable)?;
        let state: DiscoverableAuthentication = serde_json::from_value(state.clone())?;
        let mut stored: Passkey = serde_json::from_value(stored.clone())?;
        let answer: PublicKeyCredential = read(answer)?;
        check(&answer.response.client_data_json)?;
        if answer.get_user_unique_id().is_some_and(|handle_of| handle_of != handle(user).as_bytes()) {
            return Err(Error::Refused);
        }
        let verified = webauthn.finish_discoverable_authentication_v2(&answer, state, &stored).map_err(refused)?;
        stored.update_credential(&verified);
        Ok(serde_json::to_value(&stored)?)
    }
}

/// The id of the passkey that answers, base64url.
pub fn credential_id(answer: &Map<String, Value>) -> Result<String, Error> {
    let text = answer.get("rawId").and_then(Value::as_str).ok_or(Error::Refused)?;
    // Browsers write it without padding; some libraries with it, or in the other alphabet.
    let plain: String = text
        .trim_end_matches('=')
        .chars()
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            c => c,
        })
        .collect();
    let bytes = BASE64_NOPAD.decode(plain.as_bytes()).map_err(|_| Error::Refused)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

/// The user handle of passkeys, base64url.
#[must_use]
pub fn user_handle(user: &UserId) -> String {
    BASE64URL_NOPAD.encode(handle(user).as_bytes())
}

/// The user handle: it says nothing about the user (section 14.6.1).
fn handle(user: &UserId) -> Uuid {
    let digest = Sha256::digest(format!("passkeys:{user}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Uuid::from_bytes(bytes)
}

fn read<T: serde::de::DeserializeOwned>(mut answer: Map<String, Value>) -> Result<T, Error> {
    answer.insert("type".to_owned(), CREDENTIAL_TYPE.into());
    serde_json::from_value(answer.into()).map_err(|_| Error::Refused)
}

/// The client data are JSON within JSON, which `webauthn-rs` parses before it verifies anything: so the bounds of other
/// bodies are checked here first.
fn check(client_data: &[u8]) -> Result<(), Error> {
    json::check(client_data, INCOMING).map_err(|_| Error::Refused)
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn refused(error: WebauthnError) -> Error {
    tracing::debug!(%error, "a passkey is refused");
    Error::Refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_name() {
        for (address, are_possible) in [
            ("http://localhost:3001", true),
            ("https://id.example.com/base", true),
            ("http://127.0.0.1:3001", false),
            ("https://[2001:db8::1]", false),
        ] {
            let address = address.parse::<BaseUrl>();
            assert_eq!(address.is_ok_and(|address| Passkeys::new(&address).are_possible()), are_possible);
        }
    }

    #[test]
    fn decoys_are_those_of_the_identifier() -> Result<(), Error> {
        let cipher = Cipher::new([&[1; 32]])?;
        let other = Cipher::new([&[2; 32]])?;
        // Decoys are as frequent as passkeys are among users, so some names have none.
        let named: Vec<String> = (0..50).map(|number| format!("user{number}")).collect();
        let made = named.iter().map(|name| Passkeys::decoys(&cipher, name)).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(made, named.iter().map(|name| Passkeys::decoys(&cipher, name)).collect::<Result<Vec<_>, _>>()?);
        assert_ne!(made, named.iter().map(|name| Passkeys::decoys(&other, name)).collect::<Result<Vec<_>, _>>()?);
        assert!(made.iter().any(|decoys| !decoys.is_empty()));
        Ok(())
    }

    #[test]
    fn an_id_is_read_however_it_is_written() {
        for (written, read) in [("-_8", Some("-_8")), ("+/8=", Some("-_8")), ("!", None), ("", Some(""))] {
            let answer = Map::from_iter([("rawId".to_owned(), json!(written))]);
            assert_eq!(credential_id(&answer).ok().as_deref(), read, "{written}");
        }
        assert!(credential_id(&Map::new()).is_err());
    }
}
