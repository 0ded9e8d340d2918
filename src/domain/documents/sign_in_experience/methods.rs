//! Methods of sign-up and sign-in: identifiers, passwords and codes.

use crate::documents::bounded_vec::BoundedVec;
use crate::documents::identifier_type::IdentifierType;
use claimsmith_json::{Listed, present};
use serde::{Deserialize, Serialize};

/// Whether people may sign in, register, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum SignInMode {
    /// Sign-in only: registration is off.
    SignIn,
    /// Registration only: sign-in is off.
    Register,
    /// Both.
    #[default]
    SignInAndRegister,
}

/// When people agree to the terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum AgreeToTermsPolicy {
    /// By going on.
    #[default]
    Automatic,
    /// By ticking a box when they register.
    ManualRegistrationOnly,
    /// By ticking a box.
    Manual,
}

/// What people are asked for beside their identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SecondaryIdentifier {
    /// A user name.
    Username,
    /// An email address.
    Email,
    /// A phone number.
    Phone,
    /// One of the two.
    EmailOrPhone,
}

/// The channel that a code is sent over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Channel {
    /// Email.
    Email,
    /// Text messages.
    Phone,
}

impl IdentifierType {
    /// The channel over which a code reaches it.
    #[must_use]
    pub fn channel(self) -> Option<Channel> {
        match self {
            Self::Username => None,
            Self::Email => Some(Channel::Email),
            Self::Phone => Some(Channel::Phone),
        }
    }
}

impl Channel {
    /// The identifier that it reaches.
    #[must_use]
    pub fn identifier(self) -> IdentifierType {
        match self {
            Self::Email => IdentifierType::Email,
            Self::Phone => IdentifierType::Phone,
        }
    }
}

impl SecondaryIdentifier {
    /// The identifiers that it includes.
    #[must_use]
    pub fn identifiers(self) -> &'static [IdentifierType] {
        match self {
            Self::Username => &[IdentifierType::Username],
            Self::Email => &[IdentifierType::Email],
            Self::Phone => &[IdentifierType::Phone],
            Self::EmailOrPhone => &[IdentifierType::Email, IdentifierType::Phone],
        }
    }
}

/// What people give when they register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignUp {
    /// By any one of which they are known.
    #[schema(value_type = Vec<IdentifierType>, max_items = 3)]
    pub identifiers: BoundedVec<IdentifierType, 3>,
    /// Whether they choose a password.
    pub password: bool,
    /// Whether they prove the address or number with a code.
    pub verify: bool,
    /// What they are asked for beside that.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<SecondarySignUp>, required = false, max_items = 4)]
    pub secondary_identifiers: Option<BoundedVec<Listed<SecondarySignUp>, 4>>,
}

/// What people are asked for beside their identifier when they register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SecondarySignUp {
    /// What.
    pub identifier: SecondaryIdentifier,
    /// Whether they prove it with a code.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub verify: Option<bool>,
}

impl SignUp {
    /// Whether sign-up asks for such an identifier, as primary or secondary one.
    #[must_use]
    pub fn asks_for(&self, identifier: IdentifierType) -> bool {
        let mut secondary = self.secondary_identifiers.iter().flat_map(|list| list.iter());
        self.identifiers.contains(&identifier)
            || secondary.any(|one| one.identifier.identifiers().contains(&identifier))
    }
}

impl Default for SignUp {
    fn default() -> Self {
        Self {
            identifiers: BoundedVec::from([IdentifierType::Username]),
            password: true,
            verify: false,
            secondary_identifiers: None,
        }
    }
}

/// How people sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SignIn {
    /// The ways, in the order of the page.
    #[schema(value_type = Vec<SignInMethod>, max_items = 8)]
    pub methods: BoundedVec<Listed<SignInMethod>, 8>,
}

/// One way to sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInMethod {
    /// Whom they say they are.
    pub identifier: IdentifierType,
    /// Whether a password proves it.
    pub password: bool,
    /// Whether a code proves it.
    pub verification_code: bool,
    /// Where both do: whether the password is asked for first.
    pub is_password_primary: bool,
}

impl SignIn {
    /// Whether users can sign in with a password and such an identifier.
    #[must_use]
    pub fn takes_password_of(&self, identifier: IdentifierType) -> bool {
        self.methods.iter().any(|method| method.identifier == identifier && method.password)
    }

    /// Whether users can sign in with a code to this identifier.
    #[must_use]
    pub fn takes_code_of(&self, identifier: IdentifierType) -> bool {
        let is_sent = identifier.channel().is_some();
        is_sent && self.methods.iter().any(|method| method.identifier == identifier && method.verification_code)
    }
}

impl Default for SignIn {
    fn default() -> Self {
        let by_password = |identifier| {
            Listed(SignInMethod { identifier, password: true, verification_code: false, is_password_primary: true })
        };
        // Both, so that a user who was created with either can sign in.
        Self { methods: [IdentifierType::Username, IdentifierType::Email].map(by_password).into_iter().collect() }
    }
}

/// How people sign in with accounts elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SocialSignIn {
    /// Whether an account with the same verified address is linked without asking. Only false is accepted.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub automatic_account_linking: Option<bool>,
    /// Whether they need no identifier of their own.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub skip_required_identifiers: Option<bool>,
}
