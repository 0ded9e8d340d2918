//! Optional keys of a request body that may be absent but not `null`.

use serde::{Deserialize, Deserializer};

/// `#[serde(default, deserialize_with = "present")]`: reads the value when the key is there. `null` is taken only when
/// `T` itself takes it.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Option<T>, D::Error> {
    T::deserialize(input).map(Some)
}
