//! Schemas of values that are described where they are used. The types of members know their own bounds; the description
//! of an operation shows these bounds at the member, not as a schema with a name of its own.

use std::borrow::Cow;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

/// How the names of such schemas begin. Names of other schemas have no dot.
pub const INLINE: &str = "inline.";

/// The name of a schema that is described where it is used.
#[must_use]
pub fn inline(name: impl AsRef<str>) -> Cow<'static, str> {
    format!("{INLINE}{}", name.as_ref()).into()
}

/// A text of bounded length, in characters.
#[must_use]
pub fn text(min: usize, max: Option<usize>) -> RefOr<Schema> {
    let min = Some(min).filter(|min| *min > 0);
    ObjectBuilder::new().schema_type(Type::String).min_length(min).max_length(max).into()
}

/// A list of bounded length.
#[must_use]
pub fn list(item: RefOr<Schema>, min: usize, max: usize) -> RefOr<Schema> {
    let min = Some(min).filter(|min| *min > 0);
    ArrayBuilder::new().items(item).min_items(min).max_items(Some(max)).into()
}
