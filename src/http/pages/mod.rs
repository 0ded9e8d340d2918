//! What the pages of sign-in are made of: their texts, in every language.

pub(crate) mod phrases;
pub(crate) mod texts;
