//! A secret value that is not shown by accident: it prints as `***`, and its memory is zeroed when it is dropped.

use std::fmt;

use serde::{Serialize, Serializer};
use zeroize::Zeroize;

const MASK: &str = "***";

/// A secret `T`. It has no `Display` and no comparison; its only way out is [`Secret::expose`].
#[derive(Clone)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Takes `value` into custody.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself, for the one place that uses it.
    #[must_use]
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MASK)
    }
}

impl<T: Zeroize> Serialize for Secret<T> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(MASK)
    }
}
