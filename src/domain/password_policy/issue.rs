//! Why passwords are refused, and what is known of the people whose they are.

/// What is known of the person whose password it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserInfo<'a> {
    /// Their name.
    pub name: Option<&'a str>,
    /// Their user name.
    pub username: Option<&'a str>,
    /// Their email address.
    pub email: Option<&'a str>,
    /// Their phone number, in digits.
    pub phone: Option<&'a str>,
}

/// Why a password is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// It is of fewer kinds of characters than this.
    CharacterTypes(usize),
    /// It has control characters.
    UnsupportedCharacters,
    /// Many people use it, or nearly it, or it is breached.
    Common,
    /// It is made of repeated characters.
    Repetition,
    /// It is made of neighbours in the alphabet or on the keyboard.
    Sequence,
    /// It is made of what is known of the person.
    UserInfo,
    /// It is made of words that the policy refuses.
    Words,
}

impl Issue {
    /// The code, as clients of the reference know it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TooShort(_) => "password_rejected.too_short",
            Self::TooLong(_) => "password_rejected.too_long",
            Self::CharacterTypes(_) => "password_rejected.character_types",
            Self::UnsupportedCharacters => "password_rejected.unsupported_characters",
            Self::Common => "password_rejected.pwned",
            Self::Repetition => "password_rejected.restricted.repetition",
            Self::Sequence => "password_rejected.restricted.sequence",
            Self::UserInfo => "password_rejected.restricted.user_info",
            Self::Words => "password_rejected.restricted.words",
        }
    }

    /// The number of its text, by name.
    #[must_use]
    pub fn bound(self) -> Option<(&'static str, usize)> {
        match self {
            Self::TooShort(min) | Self::CharacterTypes(min) => Some(("min", min)),
            Self::TooLong(max) => Some(("max", max)),
            _ => None,
        }
    }
}
