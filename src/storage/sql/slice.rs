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

    /// Whether this slice of `total` rows that a condition holds for is found sooner by walking all rows in the order of
    /// the list than by sorting what the condition's index finds: it is at the beginning, and they are many.
    pub(in crate::storage) fn is_walked_to(self, total: i64) -> bool {
        total > MIN_WALKED && self.offset.saturating_add(self.limit) <= total / MIN_WALKED_SHARE
    }
}

/// Fewer rows are sorted within some milliseconds.
const MIN_WALKED: i64 = 2_000;
/// So much of what is found lies behind a slice that is walked to, at least: the share of all rows that are looked at is
/// less than one of so many.
const MIN_WALKED_SHARE: i64 = 50;

/// What `SELECT COUNT(*) AS count` answers.
#[derive(sqlx_macros::FromRow)]
pub(in crate::storage) struct Count {
    pub(in crate::storage) count: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_many_is_walked_to() {
        let page = |number: i64| Slice { limit: 20, offset: (number - 1) * 20 };
        for (slice, total, is_walked) in [
            (page(1), 15_625, true),
            (page(15), 15_625, true),
            (page(16), 15_625, false),
            (page(781), 15_625, false),
            (page(1), 2_000, false),
            (page(1), 0, false),
            (Slice::ALL, i64::MAX, false),
        ] {
            assert_eq!(slice.is_walked_to(total), is_walked, "{slice:?} of {total}");
        }
    }
}
