//! Checks a username against the general rules and the policy.

use crate::api_code::ApiCode;
use crate::documents::sign_in_experience::username_policy::UsernamePolicy;

/// Maximum characters of any username.
const MAX_CHARACTERS: usize = 128;

/// The reason that a username is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsernameIssue {
    /// It is empty.
    Required,
    /// It begins with a digit.
    StartsWithNumber,
    /// It has characters other than letters, digits and `_`.
    Characters,
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// It has uppercase letters.
    Uppercase,
    /// It has lowercase letters.
    Lowercase,
    /// It has digits.
    Numbers,
    /// It has `_`.
    Underscore,
}

impl UsernameIssue {
    /// The error code, as in the reference.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::Required => ApiCode::UserUsernameRequired,
            Self::StartsWithNumber => ApiCode::UserUsernameStartsWithNumber,
            Self::Characters => ApiCode::UserUsernameInvalidCharsetHard,
            Self::TooShort(_) => ApiCode::UserUsernameTooShort,
            Self::TooLong(_) => ApiCode::UserUsernameTooLong,
            Self::Uppercase => ApiCode::UserUsernameUppercaseNotAllowed,
            Self::Lowercase => ApiCode::UserUsernameLowercaseNotAllowed,
            Self::Numbers => ApiCode::UserUsernameNumbersNotAllowed,
            Self::Underscore => ApiCode::UserUsernameUnderscoreNotAllowed,
        }
    }

    /// The placeholder of its message: name and number.
    #[must_use]
    pub fn bound(self) -> Option<(&'static str, usize)> {
        match self {
            Self::TooShort(min) => Some(("min", min)),
            Self::TooLong(max) => Some(("max", max)),
            _ => None,
        }
    }
}

/// The first issue of a username.
pub fn check(policy: &UsernamePolicy, name: &str) -> Result<(), UsernameIssue> {
    let (allowed, length) = (&policy.allowed_chars, name.chars().count());
    let max = MAX_CHARACTERS.min(policy.max_length.into());
    let has = |is: fn(&u8) -> bool| name.bytes().any(|byte| is(&byte));
    let problems = [
        (name.is_empty(), UsernameIssue::Required),
        (length > max, UsernameIssue::TooLong(max)),
        (name.starts_with(|first: char| first.is_ascii_digit()), UsernameIssue::StartsWithNumber),
        (has(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_'), UsernameIssue::Characters),
        (length < usize::from(policy.min_length), UsernameIssue::TooShort(policy.min_length.into())),
        (!allowed.uppercase && has(u8::is_ascii_uppercase), UsernameIssue::Uppercase),
        (!allowed.lowercase && has(u8::is_ascii_lowercase), UsernameIssue::Lowercase),
        (!allowed.numbers && has(u8::is_ascii_digit), UsernameIssue::Numbers),
        (!allowed.underscore && name.contains('_'), UsernameIssue::Underscore),
    ];
    match problems.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, issue)) => Err(issue),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_name_is_refused_for_the_first_reason() {
        use UsernameIssue as Is;
        let strict = r#"{"minLength":3,"maxLength":8,
            "allowedChars":{"uppercase":false,"numbers":false,"underscore":false}}"#;
        let shouting = r#"{"allowedChars":{"lowercase":false}}"#;
        for (policy, name, expected) in [
            ("{}", "ada", Ok(())),
            ("{}", "_a9", Ok(())),
            ("{}", "", Err(Is::Required)),
            ("{}", "9ada", Err(Is::StartsWithNumber)),
            ("{}", "a b", Err(Is::Characters)),
            ("{}", "ädä", Err(Is::Characters)),
            ("{}", &"a".repeat(129), Err(Is::TooLong(128))),
            (strict, "ada", Ok(())),
            (strict, "ad", Err(Is::TooShort(3))),
            (strict, "adalovelace", Err(Is::TooLong(8))),
            (strict, "Ada", Err(Is::Uppercase)),
            (strict, "ada1", Err(Is::Numbers)),
            (strict, "ada_", Err(Is::Underscore)),
            (shouting, "ada", Err(Is::Lowercase)),
            (shouting, "ADA", Ok(())),
        ] {
            let policy: UsernamePolicy = serde_json::from_str(policy).unwrap();
            assert_eq!(check(&policy, name), expected, "{name}");
        }
    }
}
