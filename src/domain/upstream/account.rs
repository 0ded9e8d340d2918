//! Account data from an upstream: bounded, and trusted only as far as the upstream vouches for it.

use crate::documents::uri_rule::UriRule;
use crate::documents::user::Email;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Maximum characters of an id, which is stored as an identity.
const MAX_ID: usize = 256;
/// Maximum characters of a name.
const MAX_NAME: usize = 128;
/// Maximum bytes of the URL of a picture.
const MAX_AVATAR_BYTES: usize = 2048;
/// Maximum bytes of the raw data; larger data is dropped.
const MAX_RAW_BYTES: usize = 16 * 1024;

/// A user's account at an upstream: `userInfo` of the Interaction API.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExternalAccount {
    /// The immutable id at the upstream.
    pub id: String,
    /// An email address, possibly unverified; see [`Self::verified_email`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub email: Option<String>,
    /// Whether the upstream verified it.
    #[serde(default)]
    pub email_verified: bool,
    /// A phone number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub phone: Option<String>,
    /// A display name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// The URL of a picture.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub avatar: Option<String>,
    /// The raw data of the upstream.
    #[serde(skip_serializing_if = "Value::is_null", default)]
    pub raw_data: Value,
}

/// The data found in a profile, before bounds are applied.
#[derive(Clone, Debug, Default)]
pub struct UpstreamProfile {
    /// The id.
    pub id: String,
    /// An email address.
    pub email: Option<String>,
    /// Whether it is verified.
    pub email_verified: bool,
    /// A phone number.
    pub phone: Option<String>,
    /// A name.
    pub name: Option<String>,
    /// A picture.
    pub avatar: Option<String>,
    /// The whole profile.
    pub raw_data: Value,
}

impl ExternalAccount {
    /// Keeps data within bounds. `None` without a valid id.
    #[must_use]
    pub fn of(found: UpstreamProfile) -> Option<Self> {
        let UpstreamProfile { id, email, email_verified, phone, name, avatar, raw_data } = found;
        let is_storable = |text: &str| !text.contains('\0');
        if id.is_empty() || id.chars().count() > MAX_ID || !is_storable(&id) {
            return None;
        }
        let is_picture = |url: &String| url.len() <= MAX_AVATAR_BYTES && UriRule::Page.fault_of_stored(url).is_none();
        let is_name = |name: &String| !name.is_empty() && name.chars().count() <= MAX_NAME && is_storable(name);
        let raw_data = if raw_data.to_string().len() <= MAX_RAW_BYTES { raw_data } else { Value::Null };
        let email = email.and_then(|address| Email::try_from(address).ok()).map(String::from);
        Some(Self {
            id,
            email_verified: email_verified && email.is_some(),
            email,
            phone: phone.filter(is_name),
            name: name.map(|name| name.trim().to_owned()).filter(is_name),
            avatar: avatar.filter(is_picture),
            raw_data,
        })
    }

    /// The email address, if the upstream verified it.
    #[must_use]
    pub fn verified_email(&self) -> Option<&str> {
        self.email.as_deref().filter(|_| self.email_verified)
    }
}

impl fmt::Debug for ExternalAccount {
    /// Omits personal data.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ExternalAccount").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_out_of_bounds_is_left_out() {
        let found = UpstreamProfile {
            id: "1".to_owned(),
            email: Some("ada@example.com".to_owned()),
            email_verified: true,
            name: Some(" Ada ".to_owned()),
            avatar: Some("https://a.test/ada.png".to_owned()),
            raw_data: json!({ "sub": "1" }),
            ..UpstreamProfile::default()
        };
        let account = ExternalAccount::of(found.clone()).unwrap();
        assert_eq!(account.verified_email(), Some("ada@example.com"));
        assert_eq!((account.name.as_deref(), account.raw_data.clone()), (Some("Ada"), json!({ "sub": "1" })));
        assert!(!format!("{account:?}").contains("Ada"));
        let odd = UpstreamProfile {
            email: Some("nobody".to_owned()),
            name: Some("a".repeat(129)),
            avatar: Some("javascript:alert(1)".to_owned()),
            raw_data: json!("x".repeat(MAX_RAW_BYTES)),
            ..found.clone()
        };
        let account = ExternalAccount::of(odd).unwrap();
        assert_eq!((account.email.clone(), account.email_verified), (None, false));
        assert_eq!((account.name, account.avatar, account.raw_data), (None, None, Value::Null));
        let unverified = ExternalAccount::of(UpstreamProfile { email_verified: false, ..found.clone() }).unwrap();
        assert_eq!(unverified.verified_email(), None);
        for id in ["", "a\0", &"a".repeat(257)] {
            assert!(ExternalAccount::of(UpstreamProfile { id: id.to_owned(), ..found.clone() }).is_none());
        }
    }
}
