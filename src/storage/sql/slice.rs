//! The slice of a list that is read: limit and offset.

/// At most `limit` rows after the first `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The most rows.
    pub limit: i64,
    /// Rows before the first one.
    pub offset: i64,
}

impl Slice {
    /// The whole list.
    pub const ALL: Self = Self { limit: i64::MAX, offset: 0 };
}

/// What `SELECT COUNT(*) AS count` answers.
#[derive(crate::Row)]
pub(crate) struct Count {
    pub(crate) count: i64,
}
