//! Members of a request that may be left out.

use super::schema;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::ops::Deref;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// A member that may be left out; `null` is taken only when `T` itself takes it. To be used with `#[serde(default)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given<T>(pub Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for Given<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T> From<Given<T>> for Option<T> {
    fn from(given: Given<T>) -> Self {
        given.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        T::deserialize(input).map(|value| Self(Some(value)))
    }
}

impl<T: ToSchema> utoipa::__dev::ComposeSchema for Given<T> {
    fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        T::schema()
    }
}

impl<T: ToSchema> ToSchema for Given<T> {
    fn name() -> Cow<'static, str> {
        schema::inline("Given")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Body {
        #[serde(default)]
        count: Given<u8>,
        #[serde(default)]
        note: Given<Option<String>>,
    }

    #[test]
    fn tells_what_is_left_out_from_null() {
        let read = |text: &str| serde_json::from_str::<Body>(text);
        assert!(matches!(read("{}"), Ok(Body { count: Given(None), note: Given(None) })));
        assert!(matches!(read(r#"{"note":null}"#), Ok(Body { note: Given(Some(None)), .. })));
        assert!(matches!(read(r#"{"count":1}"#), Ok(Body { count: Given(Some(1)), .. })));
        assert!(read(r#"{"count":null}"#).is_err());
    }
}
