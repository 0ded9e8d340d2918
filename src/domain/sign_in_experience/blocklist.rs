//! Email addresses that are refused at registration.

use crate::api_code::ApiCode;
use crate::disposable_domains::DisposableDomains;
use crate::documents::fold::fold;
use crate::documents::sign_in_experience::protection::EmailBlocklistPolicy;

/// The reason that an email address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockedEmail {
    /// It has a `+` before the `@`.
    Subaddress,
    /// The address or its domain is on the blocklist, is disposable, or is not on the allowlist.
    Listed,
}

impl BlockedEmail {
    /// The error code.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::Subaddress => ApiCode::SessionEmailBlocklistEmailSubaddressingNotAllowed,
            Self::Listed => ApiCode::SessionEmailBlocklistEmailNotAllowed,
        }
    }
}

impl EmailBlocklistPolicy {
    /// Checks an address, ignoring case. A non-empty allowlist refuses all other addresses; the blocklist takes
    /// precedence over it. The operator provides the list of disposable domains.
    pub fn check(&self, email: &str, disposable: &DisposableDomains) -> Result<(), BlockedEmail> {
        let email = fold(email);
        let (name, domain) = email.rsplit_once('@').unwrap_or((&email, ""));
        let of_domain = format!("@{domain}");
        let is_on = |entry: &str| {
            let entry = fold(entry);
            fits(&entry, if entry.starts_with('@') { &of_domain } else { &email })
        };
        if self.block_subaddressing == Some(true) && name.contains('+') {
            return Err(BlockedEmail::Subaddress);
        }
        if self.custom_blocklist.as_ref().is_some_and(|list| list.iter().any(|entry| is_on(entry.as_str()))) {
            return Err(BlockedEmail::Listed);
        }
        if self.block_disposable_addresses == Some(true) && disposable.contains(domain) {
            return Err(BlockedEmail::Listed);
        }
        let allowed = self.custom_allowlist.as_ref().filter(|list| !list.is_empty());
        if allowed.is_some_and(|list| !list.iter().any(|entry| is_on(entry.as_str()))) {
            return Err(BlockedEmail::Listed);
        }
        Ok(())
    }
}

/// Whether a text matches a pattern, in which `*` stands for any characters. Backtracks to the last `*` only, so that
/// the time is at most quadratic in the sum of both lengths.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(wanted) if *wanted == text[read] => (at, read) = (at + 1, read + 1),
            _ => {
                // Extend the last `*` by one character.
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (at, read) = (place + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|left| *left == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(policy: &EmailBlocklistPolicy, email: &str) -> Option<BlockedEmail> {
        policy.check(email, &DisposableDomains::default()).err()
    }

    #[test]
    fn addresses_and_domains_are_refused_that_are_listed() -> Result<(), serde_json::Error> {
        let policy = r#"{ "blockSubaddressing": true, "customBlocklist":
            ["@Evil.test", "sam@good.test", "@*.evil.test", "no*reply@*.test", "*@bad.example"] }"#;
        let policy: EmailBlocklistPolicy = serde_json::from_str(policy)?;
        for (email, is_listed) in [
            ("ada@good.test", false),
            ("Sam@GOOD.test", true),
            ("anyone@evil.test", true),
            ("anyone@sub.evil.test", true),
            ("anyone@not-evil.test", false),
            ("noreply@good.test", true),
            ("no-reply-2@good.test", false),
            ("no-reply@a.b.test", true),
            ("no-reply@test", false),
            ("anyone@bad.example", true),
            ("anyone@bad.example.org", false),
        ] {
            assert_eq!(refused(&policy, email), is_listed.then_some(BlockedEmail::Listed), "{email}");
        }
        assert_eq!(refused(&policy, "ada+shop@good.test"), Some(BlockedEmail::Subaddress));
        assert_eq!(refused(&EmailBlocklistPolicy::default(), "a+b@evil.test"), None);
        Ok(())
    }

    #[test]
    fn a_list_of_those_that_are_let_in_is_closed_and_blocks_win() -> Result<(), serde_json::Error> {
        let policy = r#"{ "blockSubaddressing": true, "customBlocklist": ["sam@good.test", "@evil.test"],
            "customAllowlist": ["@good.test", "@*.good.test", "boss@evil.test", "a+b@good.test"] }"#;
        let policy: EmailBlocklistPolicy = serde_json::from_str(policy)?;
        let (listed, subaddress) = (Some(BlockedEmail::Listed), Some(BlockedEmail::Subaddress));
        for (email, expected) in [
            ("ada@Good.test", None),
            ("ada@sales.good.test", None),
            ("sam@good.test", listed),
            ("boss@evil.test", listed),
            ("a+b@good.test", subaddress),
            ("ada@other.test", listed),
        ] {
            assert_eq!(refused(&policy, email), expected, "{email}");
        }
        let empty: EmailBlocklistPolicy = serde_json::from_str(r#"{ "customAllowlist": [] }"#)?;
        assert_eq!(refused(&empty, "ada@other.test"), None);
        Ok(())
    }

    #[test]
    fn a_pattern_of_stars_takes_no_time() {
        let (pattern, text) = (format!("{}b", "*a".repeat(64)), "a".repeat(320));
        assert!(!fits(&pattern, &text));
        assert!(fits("***", "") && fits("*", "anything") && fits("a*c", "ac") && !fits("a*c", "acb"));
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
                Some(BlockedEmail::Listed),
            ),
        ] {
            let policy: EmailBlocklistPolicy = serde_json::from_str(policy)?;
            assert_eq!(policy.check(email, &disposable).err(), refused, "{email}");
        }
        Ok(())
    }
}
