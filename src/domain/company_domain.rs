//! Email domains that an enterprise connector may own: domains of a company, not of public email providers.

use crate::documents::organization::EmailDomain;
use std::collections::BTreeSet;

/// Public email providers.
const PUBLIC: [&str; 30] = [
    "126.com",
    "163.com",
    "aol.com",
    "fastmail.com",
    "gmail.com",
    "gmx.at",
    "gmx.com",
    "gmx.de",
    "gmx.net",
    "googlemail.com",
    "hotmail.com",
    "icloud.com",
    "live.com",
    "mac.com",
    "mail.com",
    "mail.ru",
    "me.com",
    "msn.com",
    "naver.com",
    "outlook.com",
    "proton.me",
    "protonmail.com",
    "qq.com",
    "t-online.de",
    "web.de",
    "yahoo.co.jp",
    "yahoo.com",
    "yandex.com",
    "yandex.ru",
    "zoho.com",
];

/// Maximum number of domains of a connector.
const MAX_DOMAINS: usize = 100;

/// The reason that domains are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainRefusal {
    /// These are not domains, or there are too many.
    Format(Vec<String>),
    /// These are duplicates.
    Repeated(Vec<String>),
    /// These belong to public email providers.
    Public(Vec<String>),
}

/// Validates the domains and converts them to lower case.
pub fn read(given: Vec<String>) -> Result<Vec<String>, DomainRefusal> {
    if given.len() > MAX_DOMAINS {
        return Err(DomainRefusal::Format(Vec::new()));
    }
    let (mut read, mut wrong) = (Vec::with_capacity(given.len()), Vec::new());
    for text in given {
        match EmailDomain::try_from(text.clone()) {
            Ok(domain) => read.push(String::from(domain)),
            Err(_) => wrong.push(text),
        }
    }
    if !wrong.is_empty() {
        return Err(DomainRefusal::Format(wrong));
    }
    let mut seen = BTreeSet::new();
    let repeated: BTreeSet<String> = read.iter().filter(|domain| !seen.insert(*domain)).cloned().collect();
    if !repeated.is_empty() {
        return Err(DomainRefusal::Repeated(repeated.into_iter().collect()));
    }
    let public: Vec<String> = read.iter().filter(|domain| PUBLIC.contains(&domain.as_str())).cloned().collect();
    if public.is_empty() { Ok(read) } else { Err(DomainRefusal::Public(public)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_has_its_own_domain() {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(read(texts(&["Acme.Example", "b.example"])), Ok(texts(&["acme.example", "b.example"])));
        assert_eq!(read(texts(&["no domain"])), Err(DomainRefusal::Format(texts(&["no domain"]))));
        assert_eq!(read(texts(&["a.example", "A.example"])), Err(DomainRefusal::Repeated(texts(&["a.example"]))));
        assert_eq!(read(texts(&["GMail.com", "a.example"])), Err(DomainRefusal::Public(texts(&["gmail.com"]))));
        assert!(read(vec!["a.example".to_owned(); 101]).is_err());
    }
}
