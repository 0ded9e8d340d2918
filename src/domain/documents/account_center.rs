//! Settings of the account center: what users see and change through the Account API and on the account page.

use super::bounded_vec::BoundedVec;
use super::patch::{self, Merged, Patch};
use super::sign_in_experience::links::Link;
use super::sign_in_experience::{CustomCss, ProfileFields};
use super::text::present_unless_empty;
use crate::documents::uri_rule::UriRule;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The display name.
    Name,
    /// The picture.
    Avatar,
    /// Standard claims.
    Profile,
    /// The email address.
    Email,
    /// The phone number.
    Phone,
    /// The password.
    Password,
    /// The user name.
    Username,
    /// Accounts elsewhere.
    Social,
    /// The integrator's own data.
    CustomData,
    /// Second factors.
    Mfa,
    /// Passkeys for signing in.
    Passkey,
    /// Sessions, and the applications with access.
    Session,
    /// Devices without a second factor.
    TrustedDevice,
}

/// What people may do with a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Control {
    /// Nothing.
    #[default]
    Off,
    /// See it.
    ReadOnly,
    /// Change it.
    Edit,
}

/// The access of users to each field; omitted fields are off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(BTreeMap<Field, Control>);

/// An origin such as `https://app.example.com`, which may use the passkeys of this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelatedOrigin(String);

/// Origins without duplicates.
pub type RelatedOrigins = BoundedVec<RelatedOrigin, 32>;

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(example = json!({
    "enabled": true, "fields": { "name": "Edit", "avatar": "Edit", "password": "Edit", "email": "ReadOnly" },
    "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null,
    "pageEnabled": true, "deletionEnabled": false
}))]
pub struct AccountCenter {
    /// Whether applications may use the Account API.
    pub enabled: bool,
    /// What people may do with each field.
    #[schema(value_type = Object)]
    pub fields: Fields,
    /// Origins that may use the passkeys of this server.
    #[schema(value_type = Vec<String>, max_items = 32)]
    pub webauthn_related_origins: RelatedOrigins,
    /// Where people ask for the deletion of their account.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub delete_account_url: Option<Link>,
    /// A style sheet, for pages of one's own.
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub custom_css: Option<CustomCss>,
    /// The fields of the profile, in the order of the page.
    #[schema(value_type = Option<Vec<super::sign_in_experience::ProfileField>>, max_items = 64)]
    pub profile_fields: Option<ProfileFields>,
    /// Whether the page `/account` is there.
    pub page_enabled: bool,
    /// Whether people may delete their account themselves.
    pub deletion_enabled: bool,
}

/// What is to change; what is left out stays.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
#[schema(example = json!({ "enabled": true, "fields": { "name": "Edit", "password": "Edit", "email": "ReadOnly" } }))]
pub struct AccountCenterChange {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    enabled: Option<bool>,
    /// What is left out of it stays; null switches a field off.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    fields: Option<Fields>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 32)]
    webauthn_related_origins: Option<RelatedOrigins>,
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    delete_account_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present_unless_empty")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    custom_css: Option<Option<CustomCss>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<super::sign_in_experience::ProfileField>>, max_items = 64)]
    profile_fields: Option<Option<ProfileFields>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    page_enabled: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    deletion_enabled: Option<bool>,
}

impl Patch for AccountCenterChange {
    const MERGED: &'static Merged = &patch::ACCOUNT_CENTER;
}

impl Fields {
    /// The access of users to this field.
    #[must_use]
    pub fn of(&self, field: Field) -> Control {
        self.0.get(&field).copied().unwrap_or_default()
    }

    /// Whether users see this field.
    #[must_use]
    pub fn shows(&self, field: Field) -> bool {
        self.of(field) != Control::Off
    }

    /// Whether users can edit this field.
    #[must_use]
    pub fn edits(&self, field: Field) -> bool {
        self.of(field) == Control::Edit
    }
}

impl Default for Fields {
    /// Users edit their own data, and only see the integrator's data, since applications rely on it.
    fn default() -> Self {
        use Field::{
            Avatar, CustomData, Email, Mfa, Name, Passkey, Password, Phone, Profile, Session, Social, TrustedDevice,
            Username,
        };
        let own =
            [Name, Avatar, Profile, Email, Phone, Password, Username, Social, Mfa, Passkey, Session, TrustedDevice];
        let own = own.into_iter().map(|field| (field, Control::Edit));
        Self(own.chain([(CustomData, Control::ReadOnly)]).collect())
    }
}

impl Default for AccountCenter {
    fn default() -> Self {
        Self {
            enabled: false,
            fields: Fields::default(),
            webauthn_related_origins: RelatedOrigins::default(),
            delete_account_url: None,
            custom_css: None,
            profile_fields: None,
            page_enabled: true,
            deletion_enabled: false,
        }
    }
}

impl AccountCenter {
    /// No access to any field.
    #[must_use]
    pub fn closed() -> Self {
        Self { fields: Fields(BTreeMap::new()), page_enabled: false, ..Self::default() }
    }

    /// The settings after a change.
    #[must_use]
    pub fn changed(self, change: AccountCenterChange) -> Self {
        Self {
            enabled: change.enabled.unwrap_or(self.enabled),
            fields: change.fields.unwrap_or(self.fields),
            webauthn_related_origins: change.webauthn_related_origins.unwrap_or(self.webauthn_related_origins),
            delete_account_url: change.delete_account_url.unwrap_or(self.delete_account_url),
            custom_css: change.custom_css.unwrap_or(self.custom_css),
            profile_fields: change.profile_fields.unwrap_or(self.profile_fields),
            page_enabled: change.page_enabled.unwrap_or(self.page_enabled),
            deletion_enabled: change.deletion_enabled.unwrap_or(self.deletion_enabled),
        }
    }
}

impl TryFrom<String> for RelatedOrigin {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if UriRule::PageOrigin.fault_of_stored(&text).is_none() {
            Ok(Self(text))
        } else {
            Err("expected an origin such as https://app.example.com")
        }
    }
}

impl From<RelatedOrigin> for String {
    fn from(origin: RelatedOrigin) -> Self {
        origin.0
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn fields_that_are_not_stored_are_off() {
        let change = json!({ "fields": { "name": "ReadOnly", "customData": "Edit" }, "deleteAccountUrl": null });
        let changed = AccountCenter::default().changed(serde_json::from_value(change).unwrap());
        assert_eq!(changed.fields.of(Field::Name), Control::ReadOnly);
        assert!(changed.fields.shows(Field::Name) && !changed.fields.edits(Field::Name));
        assert!(changed.fields.edits(Field::CustomData) && !changed.fields.shows(Field::Password));
        assert!(!changed.enabled && changed.page_enabled && !changed.deletion_enabled);
        assert!(AccountCenter::default().fields.edits(Field::Password));
        assert!(!AccountCenter::default().fields.edits(Field::CustomData), "claims may rest on it");
        let stored = serde_json::to_value(&changed).unwrap();
        assert_eq!(serde_json::from_value::<AccountCenter>(stored).unwrap(), changed);
        assert_eq!(serde_json::from_value::<AccountCenter>(json!({})).unwrap(), AccountCenter::default());
    }

    #[test]
    fn what_is_no_setting_is_refused() {
        for bad in [
            json!({ "enabled": null }),
            json!({ "fields": { "name": "Maybe" } }),
            json!({ "fields": { "shoeSize": "Edit" } }),
            json!({ "fields": null }),
            json!({ "webauthnRelatedOrigins": ["app.example.com"] }),
            json!({ "webauthnRelatedOrigins": ["https://app.example.com/"] }),
            json!({ "webauthnRelatedOrigins": ["https://app.example.com/path"] }),
            json!({ "deleteAccountUrl": "javascript:alert(1)" }),
        ] {
            assert!(serde_json::from_value::<AccountCenterChange>(bad.clone()).is_err(), "{bad}");
        }
        let good = json!({ "webauthnRelatedOrigins": ["https://app.example.com", "http://localhost:3000"] });
        assert!(serde_json::from_value::<AccountCenterChange>(good).is_ok());
    }
}
