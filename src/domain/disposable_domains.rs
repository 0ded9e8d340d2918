//! Disposable email domains, from the operator's list: one per line; `#` begins a comment.

use crate::documents::fold::fold;
use std::collections::HashSet;

/// The domains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisposableDomains(HashSet<String>);

impl DisposableDomains {
    /// Parses a list; the error is the number of the line that is not a domain.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut domains = HashSet::new();
        for (index, line) in text.lines().enumerate() {
            let domain = fold(line.split('#').next().unwrap_or_default().trim());
            if domain.is_empty() {
                continue;
            }
            let is_domain = domain.contains('.')
                && domain.split('.').all(|label| {
                    !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
                });
            if !is_domain {
                return Err(index + 1);
            }
            domains.insert(domain);
        }
        Ok(Self(domains))
    }

    /// Whether a case-folded domain or one of its parent domains is listed.
    #[must_use]
    pub fn contains(&self, domain: &str) -> bool {
        let mut upwards =
            std::iter::successors(Some(domain), |domain| domain.split_once('.').map(|(_, parent)| parent));
        !self.0.is_empty() && upwards.any(|domain| self.0.contains(domain))
    }

    /// The number of domains.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_domains_and_what_is_below_them() {
        let text = "# Collected by hand.\n\nTrash.example\n  mail.throwaway.test # slow\r\nb\u{fc}cher.example\n";
        let list = DisposableDomains::parse(text);
        assert_eq!(list.as_ref().map(DisposableDomains::len), Ok(3));
        let list = list.unwrap_or_default();
        for (domain, expected) in [
            ("trash.example", true),
            ("a.b.trash.example", true),
            ("nottrash.example", false),
            ("example", false),
            ("mail.throwaway.test", true),
            ("throwaway.test", false),
            ("b\u{fc}cher.example", true),
            ("", false),
        ] {
            assert_eq!(list.contains(domain), expected, "{domain}");
        }
    }

    #[test]
    fn a_line_that_is_no_domain_is_named() {
        for (text, line) in
            [("a@trash.example", 1), ("trash.example\n@trash.example", 2), ("#\n\nlocalhost", 3), ("a..b", 1)]
        {
            assert_eq!(DisposableDomains::parse(text), Err(line), "{text}");
        }
        assert_eq!(DisposableDomains::parse("").map(|list| list.is_empty()), Ok(true));
    }
}
