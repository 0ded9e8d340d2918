//! Reasons that passwords are refused, and the user data that they are checked against.

/// Known data of the owner of the password.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserInfo<'a> {
    /// The name.
    pub name: Option<&'a str>,
    /// The username.
    pub username: Option<&'a str>,
    /// The email address.
    pub email: Option<&'a str>,
    /// The phone number, in digits.
    pub phone: Option<&'a str>,
}

/// The reason that a password is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// It has fewer character classes than this.
    CharacterTypes(usize),
    /// It has control characters.
    UnsupportedCharacters,
    /// It is common, or nearly so, or in a data breach.
    Common,
    /// It consists of repeated characters.
    Repetition,
    /// It consists of neighbours in the alphabet or on the keyboard.
    Sequence,
    /// It consists of data of the user.
    UserInfo,
    /// It consists of words that the policy rejects.
    Words,
}

impl Issue {
    /// The error code, as in the reference.
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

    /// The placeholder of its message: name and number.
    #[must_use]
    pub fn bound(self) -> Option<(&'static str, usize)> {
        match self {
            Self::TooShort(min) | Self::CharacterTypes(min) => Some(("min", min)),
            Self::TooLong(max) => Some(("max", max)),
            _ => None,
        }
    }
}
