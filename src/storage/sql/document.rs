//! JSON documents in columns, parsed within bounds. An unreadable document does not fail the row or the list: it is
//! marked, never written back over the stored one, and can be repaired by `claimsmith doctor`.

use super::column::{Bind, Column, Encoded};
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::documents::application::{CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_domain::documents::custom_profile_field::Config;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::SignInMode;
use claimsmith_domain::documents::user_settings::UserSettings;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::verification_record::RecordDetails;
use claimsmith_json::{self as json, STORED};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Postgres, Sqlite, Type};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The only member of the marker that replaces an unreadable document; its value is the reason. Requests cannot use
/// this name.
pub const UNREADABLE: &str = "$claimsmith::unreadable";

/// The version byte before a `jsonb`; JSON text never begins with it.
pub(super) const JSONB: u8 = 1;

/// A document in a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json<T>(pub T);

/// A document type that a column can contain.
pub trait Document: Sized {
    /// The placeholder for an unreadable document.
    fn unreadable(why: String) -> Self;

    /// Whether this is such a placeholder.
    fn is_unreadable(&self) -> bool {
        false
    }
}

impl Document for Value {
    fn unreadable(why: String) -> Self {
        Self::Object(Map::from_iter([(UNREADABLE.to_owned(), Self::String(why))]))
    }

    fn is_unreadable(&self) -> bool {
        self.as_object().is_some_and(|members| members.len() == 1 && members.contains_key(UNREADABLE))
    }
}

impl<T: Document> Document for Arc<T> {
    fn unreadable(why: String) -> Self {
        T::unreadable(why).into()
    }

    fn is_unreadable(&self) -> bool {
        T::is_unreadable(self)
    }
}

/// Documents that are useless if they cannot be read.
impl<T> Document for Option<T> {
    fn unreadable(_: String) -> Self {
        None
    }

    fn is_unreadable(&self) -> bool {
        self.is_none()
    }
}

/// Documents of a fixed shape: an empty one is the placeholder (no redirect URI, no event, no colour), or the defaults.
macro_rules! empty_where_unreadable {
    ($($document:ty),*) => {
        $(impl Document for $document {
            fn unreadable(_: String) -> Self {
                Self::default()
            }
        })*
    };
}

empty_where_unreadable!(CustomClientMetadata, Color, Branding, Vec<EventPattern>);
empty_where_unreadable!(UserSettings, ApplicationSignInExperience, Config, RecordDetails);

impl Document for OidcClientMetadata {
    /// No redirect URI, and no usable authentication method: it is unknown whether the client had replaced its secrets
    /// by keys.
    fn unreadable(_: String) -> Self {
        Self { token_endpoint_auth_method: Some(AuthMethod::PrivateKeyJwt), ..Self::default() }
    }
}

impl Document for SignInExperience {
    /// Registration is off: it is unknown whether it was allowed.
    fn unreadable(_: String) -> Self {
        Self { sign_in_mode: SignInMode::SignIn, ..Self::default() }
    }
}

impl Document for AccountCenter {
    /// All fields are off: it is unknown what users may change.
    fn unreadable(_: String) -> Self {
        Self::closed()
    }
}

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Document + DeserializeOwned> Json<T> {
    pub(super) fn read(text: &[u8]) -> Self {
        let read = json::read(text, STORED);
        Self(read.unwrap_or_else(|error| {
            tracing::warn!(%error, "a stored document cannot be read; `claimsmith doctor` shows it");
            T::unreadable(error.to_string())
        }))
    }
}

impl<T: Document + Serialize> Json<T> {
    /// The text to store; `None` for a placeholder (`COALESCE` then keeps the stored document). Fails for a document
    /// that could not be read back; replaces NUL, which PostgreSQL does not store.
    fn text(&self) -> Result<Option<String>, BoxDynError> {
        if self.0.is_unreadable() {
            return Ok(None);
        }
        let text = serde_json::to_string(&self.0)?;
        json::check(&text, STORED)?;
        Ok(Some(without_nul(text)))
    }
}

/// Replaces every escaped NUL by U+FFFD.
fn without_nul(text: String) -> String {
    const NUL: &str = "\\u0000";
    if !text.contains(NUL) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        kept.push_str(before);
        // Skip escape sequences as a whole: after an escaped backslash, text may look like an escape.
        let length = if escape.starts_with(NUL) { NUL.len() } else { 2.min(escape.len()) };
        kept.push_str(if length == 2 { &escape[..2] } else { "\u{fffd}" });
        rest = &escape[length..];
    }
    kept.push_str(rest);
    kept
}

impl<T> Type<Sqlite> for Json<T> {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }

    /// Any type: `Json::read` checks the value.
    fn compatible(_: &SqliteTypeInfo) -> bool {
        true
    }
}

impl<T> Type<Postgres> for Json<T> {
    fn type_info() -> PgTypeInfo {
        <sqlx::types::Json<Value> as Type<Postgres>>::type_info()
    }

    fn compatible(found: &PgTypeInfo) -> bool {
        <sqlx::types::Json<Value> as Type<Postgres>>::compatible(found)
    }
}

impl<T: Document + Serialize> Encode<'_, Sqlite> for Json<T> {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        match self.text()? {
            Some(text) => Encode::<Sqlite>::encode(text, buffer),
            None => Ok(IsNull::Yes),
        }
    }
}

impl<T: Document + Serialize> Encode<'_, Postgres> for Json<T> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let Some(text) = self.text()? else { return Ok(IsNull::Yes) };
        buffer.push(JSONB);
        buffer.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    }
}

impl<'r, T: Document + DeserializeOwned> Decode<'r, Sqlite> for Json<T> {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self::read(<&[u8] as Decode<Sqlite>>::decode(value)?))
    }
}

impl<'r, T: Document + DeserializeOwned> Decode<'r, Postgres> for Json<T> {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = value.as_bytes()?;
        Ok(Self::read(bytes.strip_prefix(&[JSONB]).unwrap_or(bytes)))
    }
}

impl<T: Document + Serialize> Bind<'_> for Json<T> {
    type Stored = Self;

    fn stored(self) -> Self {
        self
    }
}

impl<'q, T: Document + Serialize> Bind<'q> for &'q Json<T> {
    type Stored = Self;

    fn stored(self) -> Self {
        self
    }
}

/// JSON without the checks of a document, for tests only.
impl<'q, T> Bind<'q> for sqlx::types::Json<T>
where
    Self: Encoded<'q>,
{
    type Stored = Self;

    fn stored(self) -> Self {
        self
    }
}

impl<T: Document + DeserializeOwned> Column for Json<T> {
    type Stored = Self;

    fn from_stored(stored: Self) -> crate::Result<Self> {
        Ok(stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_nul_is_replaced_and_what_looks_like_one_is_not() -> Result<(), BoxDynError> {
        for (value, kept) in [
            (json!("a\0b\0"), json!("a\u{fffd}b\u{fffd}")),
            (
                json!({ "\0": ["\\u0000", "\\\0", "\n\"\0"] }),
                json!({ "\u{fffd}": ["\\u0000", "\\\u{fffd}", "\n\"\u{fffd}"] }),
            ),
            (json!("é"), json!("é")),
        ] {
            let text = Json(value).text()?.unwrap_or_default();
            assert_eq!(serde_json::from_str::<Value>(&text)?, kept, "{text}");
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_read_is_marked_and_not_written() -> Result<(), BoxDynError> {
        for text in
            [format!("{}{}", "[".repeat(129), "]".repeat(129)), r#"{"$serde_json::private::RawValue":"1"}"#.into()]
        {
            let read = Json::<Value>::read(text.as_bytes());
            assert!(read.is_unreadable() && read.text()?.is_none(), "{read:?}");
        }
        let deep = (0..129).fold(json!(1), |inner, _| json!([inner]));
        assert!(Json(deep).text().is_err());
        Ok(())
    }
}
