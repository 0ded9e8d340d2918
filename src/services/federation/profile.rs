//! Builds an account from the claims of an OpenID provider.

use super::failure::FederationFailure;
use claimsmith_domain::upstream::account::{ExternalAccount, UpstreamProfile};
use openidconnect::core::CoreGenderClaim;
use openidconnect::{AdditionalClaims, IdTokenClaims, UserInfoClaims};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Claims of the protocol, which say nothing about the user.
const OF_THE_PROTOCOL: [&str; 9] = ["at_hash", "aud", "azp", "c_hash", "exp", "iat", "iss", "nonce", "sid"];

/// Claims beyond those that the library knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FurtherClaims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for FurtherClaims {}

/// The account of a verified ID token, with the response of the userinfo endpoint, which is newer.
pub(super) fn read(
    claims: &IdTokenClaims<FurtherClaims, CoreGenderClaim>,
    said: Option<&UserInfoClaims<FurtherClaims, CoreGenderClaim>>,
) -> Result<ExternalAccount, FederationFailure> {
    let unreadable = |_| FederationFailure::Profile("it cannot be read");
    let mut whole = serde_json::to_value(claims).map_err(unreadable)?;
    let said = said.map(serde_json::to_value).transpose().map_err(unreadable)?;
    let Some(members) = whole.as_object_mut() else { return Err(FederationFailure::Profile("it cannot be read")) };
    if let Some(Value::Object(mut said)) = said {
        // An email address is only as verified as its own source says.
        if said.contains_key("email") {
            members.remove("email_verified");
        } else {
            said.remove("email_verified");
        }
        members.extend(said);
    }
    members.retain(|name, _| !OF_THE_PROTOCOL.contains(&name.as_str()));
    account(whole).ok_or(FederationFailure::NoId)
}

fn account(whole: Value) -> Option<ExternalAccount> {
    let text = |name: &str| whole.get(name).and_then(Value::as_str).map(str::to_owned);
    let found = UpstreamProfile {
        id: text("sub")?,
        email: text("email"),
        email_verified: whole.get("email_verified").and_then(Value::as_bool) == Some(true),
        // Some providers use the name of the reference API.
        phone: text("phone_number").or_else(|| text("phone")),
        name: text("name").or_else(|| text("preferred_username")),
        avatar: text("picture"),
        raw_data: Value::Null,
    };
    ExternalAccount::of(UpstreamProfile { raw_data: whole, ..found })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    fn claims(more: &Value) -> IdTokenClaims<FurtherClaims, CoreGenderClaim> {
        let mut claims = json!({ "iss": "https://id.test", "aud": "c", "exp": 2, "iat": 1, "sub": "1", "nonce": "n" });
        claims.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        serde_json::from_value(claims).unwrap()
    }

    #[test]
    fn an_address_is_as_verified_as_its_own_source_says() {
        let token = claims(&json!({ "email": "ada@example.com", "email_verified": true, "groups": ["a"] }));
        let account = read(&token, None).unwrap();
        assert_eq!(account.verified_email(), Some("ada@example.com"));
        assert_eq!(account.raw_data["groups"], json!(["a"]));
        assert!(account.raw_data.get("nonce").is_none());
        let said = json!({ "sub": "1", "email": "victim@example.com", "name": "Ada" }).to_string();
        let said = UserInfoClaims::<FurtherClaims, CoreGenderClaim>::from_json::<std::io::Error>(said.as_bytes(), None)
            .unwrap();
        let account = read(&token, Some(&said)).unwrap();
        assert_eq!((account.email.as_deref(), account.verified_email()), (Some("victim@example.com"), None));
        assert_eq!(account.name.as_deref(), Some("Ada"));
        // Nor does one source verify the email address of the other.
        let token = claims(&json!({ "email": "victim@example.com" }));
        let said = json!({ "sub": "1", "email_verified": true }).to_string();
        let said = UserInfoClaims::<FurtherClaims, CoreGenderClaim>::from_json::<std::io::Error>(said.as_bytes(), None)
            .unwrap();
        let account = read(&token, Some(&said)).unwrap();
        assert_eq!((account.email.as_deref(), account.verified_email()), (Some("victim@example.com"), None));
    }

    #[test]
    fn a_number_has_the_name_of_the_standard_or_of_the_reference_api() {
        for (more, phone) in [
            (json!({ "phone_number": "+4915112345678", "phone": "1" }), Some("+4915112345678")),
            (json!({ "phone": "+4915112345678", "phone_verified": true }), Some("+4915112345678")),
            (json!({}), None),
        ] {
            assert_eq!(read(&claims(&more), None).unwrap().phone.as_deref(), phone);
        }
    }
}
