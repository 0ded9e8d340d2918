//! Lists of bounded length, checked when a body is parsed.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::Deref;

/// At most `MAX` items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct BoundedVec<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> BoundedVec<T, MAX> {
    /// Keeps the items that match.
    pub fn retain(&mut self, fits: impl FnMut(&T) -> bool) {
        self.0.retain(fits);
    }
}

impl<T, const MAX: usize> Default for BoundedVec<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> From<[T; 1]> for BoundedVec<T, MAX> {
    fn from(one: [T; 1]) -> Self {
        Self(one.into())
    }
}

impl<T, const MAX: usize> FromIterator<T> for BoundedVec<T, MAX> {
    /// Drops items beyond `MAX`.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().take(MAX).collect())
    }
}

impl<T, const MAX: usize> Deref for BoundedVec<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for BoundedVec<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let items = Vec::deserialize(input)?;
        if items.len() > MAX {
            return Err(D::Error::custom(format!("expected at most {MAX} items, found {}", items.len())));
        }
        Ok(Self(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_not_longer_than_it_may_be() {
        for (text, fits) in [("[]", true), ("[1,2]", true), ("[1,2,3]", false), ("[null]", false), ("{}", false)] {
            assert_eq!(serde_json::from_str::<BoundedVec<u8, 2>>(text).is_ok(), fits, "{text}");
        }
    }
}
