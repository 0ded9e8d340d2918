//! Checks a username against the general rules and the policy.

use crate::api_code::ApiCode;
use crate::documents::fold::compose;
use crate::documents::identifier_type::IdentifierType;
use crate::documents::sign_in_experience::username_policy::{AllowedChars, UsernamePolicy};
use crate::documents::username::{is_foreign, is_foreign_mark, is_possible, written_as};

/// Maximum characters of any username.
const MAX_CHARACTERS: usize = 128;

/// The reason that a username is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsernameIssue {
    /// It is empty.
    Required,
    /// It begins with a digit.
    StartsWithNumber,
    /// It has characters that the policy does not allow.
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

/// The first issue of a username that its user chooses. It is never written like an email address or a phone number.
pub fn check(policy: &UsernamePolicy, name: &str) -> Result<(), UsernameIssue> {
    let name = &*compose(name);
    let (allowed, length) = (&policy.allowed_chars, name.chars().count());
    let max = MAX_CHARACTERS.min(policy.max_length.into());
    let has = |is: fn(char) -> bool| name.contains(is);
    let is_number = written_as(name) == IdentifierType::Phone;
    let problems = [
        (name.is_empty(), UsernameIssue::Required),
        (length > max, UsernameIssue::TooLong(max)),
        (is_number || starts_with_refused_digit(allowed, name), UsernameIssue::StartsWithNumber),
        (name.contains('@') || !has_allowed_characters(allowed, name), UsernameIssue::Characters),
        (length < usize::from(policy.min_length), UsernameIssue::TooShort(policy.min_length.into())),
        (!allowed.uppercase && has(char::is_uppercase), UsernameIssue::Uppercase),
        (!allowed.lowercase && has(char::is_lowercase), UsernameIssue::Lowercase),
        (!allowed.numbers && has(|letter| letter.is_ascii_digit()), UsernameIssue::Numbers),
        (!allowed.underscore && name.contains('_'), UsernameIssue::Underscore),
    ];
    match problems.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, issue)) => Err(issue),
        None => Ok(()),
    }
}

/// The first issue of a username that an operator or an import sets. They may set any plain name, whatever the policy
/// says; it decides on the characters beyond these.
pub fn check_given(policy: &UsernamePolicy, name: &str) -> Result<(), UsernameIssue> {
    let (allowed, name) = (&policy.allowed_chars, &*compose(name));
    if starts_with_refused_digit(allowed, name) {
        return Err(UsernameIssue::StartsWithNumber);
    }
    if has_allowed_characters(allowed, name) { Ok(()) } else { Err(UsernameIssue::Characters) }
}

fn starts_with_refused_digit(allowed: &AllowedChars, name: &str) -> bool {
    !allowed.leading_digit && name.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether all characters are allowed. Lowercase and uppercase letters, digits and `_` are not checked here.
fn has_allowed_characters(allowed: &AllowedChars, name: &str) -> bool {
    let like_address = name.contains('@');
    let is_allowed = |letter: char| match letter {
        '.' => allowed.dot || like_address,
        '-' => allowed.hyphen || like_address,
        '@' | '+' => allowed.at,
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric() || letter == '_',
        _ => allowed.letters && (is_foreign(letter) || is_foreign_mark(letter)),
    };
    is_possible(name) && name.chars().all(is_allowed)
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
        let wide = r#"{"allowedChars":{"dot":true,"hyphen":true,"letters":true,"leadingDigit":true,"at":true}}"#;
        let small = r#"{"allowedChars":{"letters":true,"uppercase":false}}"#;
        let shouting = r#"{"allowedChars":{"lowercase":false}}"#;
        for (policy, name, expected) in [
            ("{}", "ada", Ok(())),
            ("{}", "_a9", Ok(())),
            ("{}", "", Err(Is::Required)),
            ("{}", "9ada", Err(Is::StartsWithNumber)),
            ("{}", "a b", Err(Is::Characters)),
            ("{}", "ädä", Err(Is::Characters)),
            ("{}", "jane.doe", Err(Is::Characters)),
            ("{}", "jane-doe", Err(Is::Characters)),
            ("{}", "j@x.example", Err(Is::Characters)),
            (wide, "jane.doe", Ok(())),
            (wide, "jane-doe", Ok(())),
            (wide, "9ada", Ok(())),
            (wide, "ädä", Ok(())),
            (wide, "a\u{308}da\u{308}", Ok(())),
            (wide, "j@x.example", Err(Is::Characters)),
            (wide, "j\u{430}ne", Err(Is::Characters)),
            (wide, "a b", Err(Is::Characters)),
            (wide, "0151-2345678", Err(Is::StartsWithNumber)),
            (small, "ÄDÄ", Err(Is::Uppercase)),
            (small, "ädä", Ok(())),
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

    #[test]
    fn an_operator_may_set_what_the_policy_allows_beyond_plain_names() {
        use UsernameIssue as Is;
        let strict = r#"{"minLength":9,"allowedChars":{"uppercase":false,"numbers":false,"underscore":false}}"#;
        let at = r#"{"allowedChars":{"at":true}}"#;
        let numbers = r#"{"allowedChars":{"leadingDigit":true}}"#;
        for (policy, name, expected) in [
            (strict, "Ada_9", Ok(())),
            (strict, "jane.doe", Err(Is::Characters)),
            (strict, "jane@x.example", Err(Is::Characters)),
            (at, "jane.doe+a@corp-x.example", Ok(())),
            (at, "jane.doe", Err(Is::Characters)),
            (at, "jörg@x.example", Err(Is::Characters)),
            (at, "9ada@x.example", Err(Is::StartsWithNumber)),
            (at, "a@b@c", Err(Is::Characters)),
            (numbers, "4711", Ok(())),
            (numbers, "4915112345678", Ok(())),
        ] {
            let policy: UsernamePolicy = serde_json::from_str(policy).unwrap();
            assert_eq!(check_given(&policy, name), expected, "{name}");
        }
    }
}
