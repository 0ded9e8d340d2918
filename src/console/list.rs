//! Pagination of lists: which page is asked for, and which pages there are.

/// As many rows as a screen shows.
const PAGE_SIZE: u64 = 20;

/// Which page of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paging {
    /// From 1.
    pub page: u64,
    /// Rows of a page.
    pub size: u64,
}

impl Paging {
    /// The page of a number as a query has it; the first one if that is no number.
    pub(crate) fn numbered(page: Option<&str>) -> Self {
        let page = page.and_then(|page| page.parse().ok()).filter(|page| *page > 0);
        Self { page: page.unwrap_or(1), size: PAGE_SIZE }
    }

    /// The first rows alone.
    pub(crate) fn first(size: u64) -> Self {
        Self { page: 1, size }
    }

    /// The path of an operation with the parameters of this page.
    pub(crate) fn of(self, path: &str) -> String {
        let joint = if path.contains('?') { '&' } else { '?' };
        format!("{path}{joint}page={}&page_size={}", self.page, self.size)
    }
}

/// A page of a list.
pub(crate) struct List<T> {
    /// Its rows.
    pub items: Vec<T>,
    /// How many rows all pages have.
    pub total: u64,
    /// Which page it is.
    pub paging: Paging,
}

impl<T> List<T> {
    /// How many pages there are.
    pub(crate) fn pages(&self) -> u64 {
        self.total.div_ceil(self.paging.size).max(1)
    }

    /// The number of the page before, if there is one.
    pub(crate) fn previous(&self) -> Option<u64> {
        (self.paging.page > 1).then(|| (self.paging.page - 1).min(self.pages()))
    }

    /// The number of the next page, if there is one.
    pub(crate) fn next(&self) -> Option<u64> {
        (self.paging.page < self.pages()).then(|| self.paging.page + 1)
    }

    /// "21–40 of 1234".
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
