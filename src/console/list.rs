//! Pagination of lists.

/// Rows per page.
const PAGE_SIZE: u64 = 20;

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paging {
    /// The page number, starting at 1.
    pub page: u64,
    /// Rows per page.
    pub size: u64,
}

impl Paging {
    /// The page of a query parameter; the first page if it is not a positive number.
    pub(crate) fn numbered(page: Option<&str>) -> Self {
        let page = page.and_then(|page| page.parse().ok()).filter(|page| *page > 0);
        Self { page: page.unwrap_or(1), size: PAGE_SIZE }
    }

    /// Only the first rows.
    pub(crate) fn first(size: u64) -> Self {
        Self { page: 1, size }
    }

    /// Adds the paging parameters to the path of an operation.
    pub(crate) fn of(self, path: &str) -> String {
        let joint = if path.contains('?') { '&' } else { '?' };
        format!("{path}{joint}page={}&page_size={}", self.page, self.size)
    }
}

/// One page of a list.
pub(crate) struct List<T> {
    /// The rows of this page.
    pub items: Vec<T>,
    /// Total number of rows on all pages.
    pub total: u64,
    /// The position of this page.
    pub paging: Paging,
}

impl<T> List<T> {
    /// Number of pages, at least one.
    pub(crate) fn pages(&self) -> u64 {
        self.total.div_ceil(self.paging.size).max(1)
    }

    /// The number of the previous page, if any.
    pub(crate) fn previous(&self) -> Option<u64> {
        (self.paging.page > 1).then(|| (self.paging.page - 1).min(self.pages()))
    }

    /// The number of the next page, if any.
    pub(crate) fn next(&self) -> Option<u64> {
        (self.paging.page < self.pages()).then(|| self.paging.page + 1)
    }

    /// The range of rows, such as "21–40 of 1234".
    pub(crate) fn range(&self) -> String {
        let first = (self.paging.page - 1) * self.paging.size + 1;
        let last = (first + self.items.len() as u64).saturating_sub(1);
        if self.items.is_empty() {
            format!("0 of {}", self.total)
        } else {
            format!("{first}–{last} of {}", self.total)
        }
    }
}
