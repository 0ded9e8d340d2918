//! A slice of a list: limit and offset.

/// At most `limit` rows after the first `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Maximum number of rows.
    pub limit: i64,
    /// Number of rows to skip.
    pub offset: i64,
}

impl Slice {
    /// The whole list.
    pub const ALL: Self = Self { limit: i64::MAX, offset: 0 };
}

/// The row of `SELECT COUNT(*) AS count`.
#[derive(crate::Row)]
pub(crate) struct Count {
    pub(crate) count: i64,
}
