//! Email addresses that nobody registers with.

use crate::documents::fold::fold;
use crate::documents::sign_in_experience::protection::EmailBlocklistPolicy;
use crate::domain::disposable_domains::DisposableDomains;

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockedEmail {
    /// It has a `+` before the `@`.
    Subaddress,
    /// It, or its domain, is on the list, or is one for throw-away addresses.
    Listed,
}

impl BlockedEmail {
    /// The word of it in error codes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Subaddress => "session.email_blocklist.email_subaddressing_not_allowed",
            Self::Listed => "session.email_blocklist.email_not_allowed",
        }
    }
}

impl EmailBlocklistPolicy {
    /// Refuses an address, whatever its case. What is on the list of those that are let in is never refused. The domains
    /// of throw-away addresses are the operator's to list.
    pub fn check(&self, email: &str, disposable: &DisposableDomains) -> Result<(), BlockedEmail> {
        let email = fold(email);
        let (name, domain) = email.rsplit_once('@').unwrap_or((&email, ""));
        let of_domain = format!("@{domain}");
        let is_on = |entry: &str| {
            let entry = fold(entry);
            entry == email || entry == of_domain
        };
        if self.custom_allowlist.as_ref().is_some_and(|list| list.iter().any(|entry| is_on(entry.as_str()))) {
            return Ok(());
        }
        if self.block_subaddressing == Some(true) && name.contains('+') {
            return Err(BlockedEmail::Subaddress);
        }
        if self.custom_blocklist.as_ref().is_some_and(|list| list.iter().any(|entry| is_on(entry.as_str()))) {
            return Err(BlockedEmail::Listed);
        }
        if self.block_disposable_addresses == Some(true) && disposable.contains(domain) {
            return Err(BlockedEmail::Listed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_domains_are_refused_unless_they_are_let_in() -> Result<(), serde_json::Error> {
        let policy = r#"{ "blockSubaddressing": true, "customBlocklist": ["@Evil.test", "sam@good.test"],
            "customAllowlist": ["boss@evil.test", "a+b@good.test"] }"#;
        let policy: EmailBlocklistPolicy = serde_json::from_str(policy)?;
        for (email, refused) in [
            ("ada@good.test", None),
            ("Sam@GOOD.test", Some(BlockedEmail::Listed)),
            ("anyone@evil.test", Some(BlockedEmail::Listed)),
            ("anyone@sub.evil.test", None),
            ("boss@evil.test", None),
            ("ada+shop@good.test", Some(BlockedEmail::Subaddress)),
            ("A+B@good.test", None),
        ] {
            assert_eq!(policy.check(email, &DisposableDomains::default()).err(), refused, "{email}");
        }
        let none = DisposableDomains::default();
        assert_eq!(EmailBlocklistPolicy::default().check("a+b@evil.test", &none), Ok(()));
        Ok(())
    }

    #[test]
    fn throw_away_addresses_are_refused_where_the_policy_says_so() -> Result<(), serde_json::Error> {
        let disposable = DisposableDomains::parse("trash.example").unwrap_or_default();
        for (policy, email, refused) in [
            (r#"{ "blockDisposableAddresses": true }"#, "ada@Trash.example", Some(BlockedEmail::Listed)),
            (r#"{ "blockDisposableAddresses": true }"#, "ada@sub.trash.example", Some(BlockedEmail::Listed)),
            (r#"{ "blockDisposableAddresses": true }"#, "ada@good.test", None),
            (r#"{ "blockDisposableAddresses": false }"#, "ada@trash.example", None),
            (
                r#"{ "blockDisposableAddresses": true, "customAllowlist": ["ada@trash.example"] }"#,
                "ada@trash.example",
                None,
            ),
        ] {
            let policy: EmailBlocklistPolicy = serde_json::from_str(policy)?;
            assert_eq!(policy.check(email, &disposable).err(), refused, "{email}");
        }
        Ok(())
    }
}
