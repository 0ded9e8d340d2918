//! A JSON document together with its stored text: parsed once, and passed on without being serialized again.

use super::column::{Bind, Column, as_they_are};
use super::document::{Document as _, JSONB, Json};
use serde_json::Value;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Postgres, Sqlite, Type};
use std::fmt;
use std::sync::Arc;

/// A document as read from a column. Clones share it; `Debug` shows its value.
#[derive(Clone)]
pub struct SharedDocument {
    /// The parsed value.
    pub value: Arc<Value>,
    /// The stored text.
    pub text: Arc<str>,
}

as_they_are!(SharedDocument);

impl From<Value> for SharedDocument {
    fn from(value: Value) -> Self {
        Self { text: value.to_string().into(), value: value.into() }
    }
}

impl fmt::Debug for SharedDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(formatter)
    }
}

impl SharedDocument {
    /// Whether it could not be read; then `value` contains the reason.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.value.is_unreadable()
    }

    fn read(text: &[u8]) -> Self {
        Self { value: Json::read(text).0, text: String::from_utf8_lossy(text).into() }
    }
}

impl Type<Sqlite> for SharedDocument {
    fn type_info() -> SqliteTypeInfo {
        <Json<Value> as Type<Sqlite>>::type_info()
    }

    fn compatible(found: &SqliteTypeInfo) -> bool {
        <Json<Value> as Type<Sqlite>>::compatible(found)
    }
}

impl Type<Postgres> for SharedDocument {
    fn type_info() -> PgTypeInfo {
        <Json<Value> as Type<Postgres>>::type_info()
    }

    fn compatible(found: &PgTypeInfo) -> bool {
        <Json<Value> as Type<Postgres>>::compatible(found)
    }
}

impl Encode<'_, Sqlite> for SharedDocument {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        if self.is_unreadable() {
            return Ok(IsNull::Yes);
        }
        Encode::<Sqlite>::encode(self.text.to_string(), buffer)
    }
}

impl Encode<'_, Postgres> for SharedDocument {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        if self.is_unreadable() {
            return Ok(IsNull::Yes);
        }
        buffer.push(JSONB);
        buffer.extend_from_slice(self.text.as_bytes());
        Ok(IsNull::No)
    }
}

impl<'r> Decode<'r, Sqlite> for SharedDocument {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self::read(<&[u8] as Decode<Sqlite>>::decode(value)?))
    }
}

impl<'r> Decode<'r, Postgres> for SharedDocument {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = value.as_bytes()?;
        Ok(Self::read(bytes.strip_prefix(&[JSONB]).unwrap_or(bytes)))
    }
}
