//! The reasons that a step is refused: one list, which the Interaction API renders as JSON and the pages show at their
//! fields.

mod data;
mod from;

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::custom_profile_field::submission::RefusedValue;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_domain::password_policy::Issue;
use claimsmith_domain::sign_in_experience::blocklist::BlockedEmail;
use claimsmith_domain::sign_in_experience::mandatory::Missing;
use claimsmith_domain::sign_in_experience::username_check::UsernameIssue;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_services::federation::FederationFailure;
use serde_json::Value;
use std::borrow::Cow;

/// The reason that a step was refused.
#[derive(Debug)]
pub enum InteractionRefusal {
    /// The browser has no such interaction.
    NoInteraction,
    /// The interaction has ended; the URL to start again, or to continue with the session.
    Over(String),
    /// The interaction has no event yet.
    NotStarted,
    /// There was a concurrent step.
    Superseded,
    /// The settings do not allow this.
    Closed,
    /// The step does not fit the interaction's event.
    WrongEvent,
    /// Passwords cannot be reset this way.
    ForgotPassword,
    /// The verification id is missing.
    VerificationRequired,
    /// The interaction has no such verification.
    UnknownVerification,
    /// The verification is not proved, or does not prove what the step needs.
    NotVerified,
    /// The settings disable this sign-in method.
    MethodDisabled,
    /// Incorrect identifier or password.
    InvalidCredentials,
    /// Too many attempts failed; retry after this many milliseconds.
    Blocked(i64),
    /// The user is suspended.
    Suspended,
    /// The user no longer exists.
    UnknownUser,
    /// The interaction belongs to another user.
    OtherUser,
    /// The user is not identified yet.
    NotIdentified,
    /// The user is not identified yet, so a code of a second factor has no recipient.
    NobodyToSendTo,
    /// No user has this verified email address or phone number.
    UnknownIdentifier(Identifier),
    /// The email address or phone number is invalid.
    ImpossibleIdentifier(IdentifierType),
    /// This address is not allowed for registration.
    BlockedEmail(BlockedEmail),
    /// The code is wrong, expired or already used.
    Code(CodeRefusal),
    /// No connector sends messages over this channel.
    NoConnector(Channel),
    /// Too many messages were sent to the recipient.
    MessagesLimited,
    /// The one-time token of the link is not accepted.
    OneTimeToken(TokenRefusal),
    /// This method cannot reset passwords.
    WayBackDisabled,
    /// The new password is missing.
    NewPasswordRequired,
    /// The password has expired: the user has to reset it.
    PasswordExpired,
    /// The new password equals the current one.
    SamePassword,
    /// The email address is taken.
    EmailTaken,
    /// The phone number is taken.
    PhoneTaken,
    /// There is no such social connector.
    UnknownConnector,
    /// There is no such enterprise connector.
    UnknownSsoConnector,
    /// The connector is not a social connector.
    NotSocial,
    /// The configuration of the connector is unusable.
    ConnectorConfig,
    /// The redirect URI is not allowed.
    RedirectUri,
    /// The state, the redirect URI or the code is missing.
    InsufficientInfo,
    /// No callback of this connector is pending.
    NotAwaited(ConnectorKind),
    /// The callback belongs to another attempt.
    StateMismatch,
    /// The user or the upstream denied the sign-in.
    UpstreamDenied,
    /// The upstream failed, or its response is invalid.
    Upstream(FederationFailure),
    /// No user has this account of a social connector; the email address of a user who could prove that it is theirs.
    UnknownIdentity(Option<String>),
    /// No user has this account of an enterprise connector.
    UnknownSsoIdentity,
    /// The account is linked to another user, or the user already has one at this connector.
    IdentityTaken,
    /// Users with this email domain must sign in at these enterprise connectors.
    SsoEnabled(Vec<Value>),
    /// Users with an account at an enterprise connector cannot sign in with a passkey.
    SsoUser,
    /// Administrators cannot link an account this way.
    Administrator,
    /// The user already has an email address.
    HasEmail,
    /// The user already has a phone number.
    HasPhone,
    /// The username is taken.
    UsernameTaken,
    /// The username violates the policy.
    Username(UsernameIssue),
    /// The password violates the policy.
    Password(Vec<Issue>),
    /// The user already has a username.
    HasUsername,
    /// The user already has a password.
    HasPassword,
    /// Required parts of the user's profile are missing.
    MissingProfile(Vec<Missing>),
    /// A value of a profile field is invalid.
    ExtraProfile(RefusedValue),
    /// The user has to prove one of these second factors; with the masked recipients of codes.
    FactorRequired(Vec<FactorType>, Vec<(FactorType, String)>),
    /// The user has to choose whether to add one of these second factors.
    FactorSuggested(Vec<FactorType>),
    /// The user may add another one of these factors; with the masked recipients of the codes that they have.
    FurtherFactorSuggested(Vec<FactorType>, Vec<(FactorType, String)>),
    /// The user has to set up one of these second factors; whether it can be skipped.
    FactorMissing(Vec<FactorType>, bool),
    /// The user has to add backup codes.
    BackupCodesRequired,
    /// The one-time password is wrong, expired or already used.
    InvalidTotp,
    /// The backup code is wrong or already used.
    InvalidBackupCode,
    /// The passkey is not the user's, or its response is invalid.
    InvalidPasskey,
    /// The user has no passkey.
    NoPasskey,
    /// There is no pending challenge for a passkey.
    NoPasskeyAsked,
    /// There is no pending challenge for sign-in with a passkey.
    NoSignInPasskeyAsked,
    /// The user has to choose whether to add a passkey for sign-in.
    PasskeySuggested,
    /// The settings disable this second factor.
    FactorDisabled,
    /// The user already has a second factor of this type.
    FactorInUse(FactorType),
    /// Backup codes need another second factor.
    BackupCodesAlone,
    /// A second factor is mandatory and cannot be skipped.
    FactorNotOptional,
    /// The user is not a member of a chosen organization.
    NotAMember,
    /// No device is waiting with this user code.
    UnknownUserCode,
    /// A captcha is required.
    CaptchaRequired,
    /// The captcha answer is wrong, expired or already used.
    CaptchaFailed,
    /// Captcha does not use puzzles of this server.
    NoPuzzle,
    /// The queue of passwords to hash is full.
    PasswordsBusy,
    /// This IP address, this user or all callers together exceed the budget of created data; retry after this many
    /// milliseconds.
    TooMany(i64),
    /// The user's data or the interaction exceed the size limit.
    TooMuchData,
    /// The server failed.
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl InteractionRefusal {
    /// The refusal of a failed sign-in at an upstream; logs the reason.
    pub(super) fn upstream(failure: FederationFailure) -> Self {
        tracing::warn!(%failure, "a sign-in at an upstream failed");
        Self::Upstream(failure)
    }

    /// The error code.
    #[must_use]
    pub fn code(&self) -> ApiCode {
        match self {
            Self::NoInteraction | Self::Over(_) => ApiCode::SessionNotFound,
            Self::NotStarted => ApiCode::SessionInteractionNotFound,
            Self::Superseded => ApiCode::SessionInteractionChanged,
            Self::Closed | Self::Administrator => ApiCode::AuthForbidden,
            Self::WrongEvent => ApiCode::SessionInvalidInteractionType,
            Self::ForgotPassword => ApiCode::SessionNotSupportedForForgotPassword,
            Self::VerificationRequired | Self::ImpossibleIdentifier(_) | Self::RedirectUri => {
                ApiCode::GuardInvalidInput
            }
            Self::UnknownVerification => ApiCode::SessionVerificationSessionNotFound,
            Self::NotVerified => ApiCode::SessionVerificationFailed,
            Self::MethodDisabled => ApiCode::UserSignInMethodNotEnabled,
            Self::InvalidCredentials => ApiCode::SessionInvalidCredentials,
            Self::TooMany(_) => ApiCode::RequestTooMany,
            Self::TooMuchData => ApiCode::UserDataTooLarge,
            Self::Blocked(_) => ApiCode::SessionVerificationBlockedTooManyAttempts,
            Self::Suspended => ApiCode::UserSuspended,
            Self::UnknownUser | Self::UnknownIdentifier(_) => ApiCode::UserUserNotExist,
            Self::OtherUser => ApiCode::SessionIdentityConflict,
            Self::NotIdentified => ApiCode::SessionIdentifierNotFound,
            Self::NobodyToSendTo => ApiCode::SessionIdentifierNotFoundForCode,
            Self::BlockedEmail(blocked) => blocked.code(),
            Self::Code(refusal) => refusal.code(),
            Self::NoConnector(_) => ApiCode::ConnectorNotFoundChannel,
            Self::MessagesLimited => ApiCode::RequestMessageRateLimited,
            Self::OneTimeToken(refusal) => refusal.code(),
            Self::WayBackDisabled => ApiCode::SessionNotSupportedForForgotPasswordDisabled,
            Self::NewPasswordRequired => ApiCode::UserNewPasswordRequiredInProfile,
            Self::PasswordExpired => ApiCode::PasswordExpired,
            Self::SamePassword => ApiCode::UserSamePassword,
            Self::EmailTaken => ApiCode::UserEmailAlreadyInUse,
            Self::PhoneTaken => ApiCode::UserPhoneAlreadyInUse,
            Self::HasEmail => ApiCode::UserEmailExistsInProfile,
            Self::UnknownConnector => ApiCode::EntityNotFound,
            Self::UnknownSsoConnector => ApiCode::EntityNotExistsWithId,
            Self::NotSocial => ApiCode::ConnectorUnexpectedType,
            Self::ConnectorConfig => ApiCode::ConnectorInvalidConfig,
            Self::InsufficientInfo => ApiCode::SessionInsufficientInfo,
            Self::NotAwaited(ConnectorKind::Social) => ApiCode::SessionConnectorValidationSessionNotFound,
            Self::NotAwaited(ConnectorKind::Enterprise) => ApiCode::SessionConnectorSessionNotFound,
            Self::StateMismatch => ApiCode::SessionCsrfTokenMismatch,
            Self::UpstreamDenied => ApiCode::ConnectorAuthorizationFailed,
            Self::Upstream(failure) => from::upstream(failure),
            Self::UnknownIdentity(_) => ApiCode::UserIdentityNotExist,
            Self::UnknownSsoIdentity => ApiCode::UserSsoIdentityNotExist,
            Self::IdentityTaken => ApiCode::UserIdentityAlreadyInUse,
            Self::SsoEnabled(_) => ApiCode::SessionSsoEnabled,
            Self::SsoUser => ApiCode::SessionPasskeySignInSsoUsersNotAllowed,
            Self::HasPhone => ApiCode::UserPhoneExistsInProfile,
            Self::UsernameTaken => ApiCode::UserUsernameAlreadyInUse,
            Self::Username(issue) => issue.code(),
            Self::Password(_) => ApiCode::PasswordRejected,
            Self::HasUsername => ApiCode::UserUsernameExistsInProfile,
            Self::HasPassword => ApiCode::UserPasswordExistsInProfile,
            Self::MissingProfile(_) => ApiCode::UserMissingProfile,
            Self::ExtraProfile(refused) => refused.problem.code(),
            Self::FactorRequired(..) => ApiCode::SessionMfaRequireMfaVerification,
            Self::FactorSuggested(_) => ApiCode::UserSuggestMfa,
            Self::FurtherFactorSuggested(..) => ApiCode::SessionMfaSuggestAdditionalMfa,
            Self::FactorMissing(..) => ApiCode::UserMissingMfa,
            Self::BackupCodesRequired => ApiCode::SessionMfaBackupCodeRequired,
            Self::InvalidTotp => ApiCode::SessionMfaInvalidTotpCode,
            Self::InvalidBackupCode => ApiCode::SessionMfaInvalidBackupCode,
            Self::InvalidPasskey => ApiCode::SessionMfaWebauthnVerificationFailed,
            Self::NoPasskey => ApiCode::SessionMfaWebauthnVerificationNotFound,
            Self::NoPasskeyAsked => ApiCode::SessionMfaPendingInfoNotFound,
            Self::NoSignInPasskeyAsked => ApiCode::SessionPasskeySignInPendingInfoNotFound,
            Self::PasskeySuggested => ApiCode::UserPasskeyPreferred,
            Self::FactorDisabled => ApiCode::SessionMfaMfaFactorNotEnabled,
            Self::FactorInUse(FactorType::WebAuthn) => ApiCode::UserTooManyPasskeys,
            Self::FactorInUse(FactorType::Totp) => ApiCode::UserTotpAlreadyInUse,
            Self::FactorInUse(FactorType::BackupCode) => ApiCode::UserBackupCodeAlreadyInUse,
            Self::FactorInUse(_) => ApiCode::UserMfaFactorAlreadyInUse,
            Self::BackupCodesAlone => ApiCode::SessionMfaBackupCodeCanNotBeAlone,
            Self::FactorNotOptional => ApiCode::SessionMfaMfaPolicyNotUserControlled,
            Self::NotAMember => ApiCode::OrganizationRequireMembership,
            Self::UnknownUserCode => ApiCode::DeviceUserCodeNotFound,
            Self::CaptchaRequired => ApiCode::SessionCaptchaRequired,
            Self::CaptchaFailed => ApiCode::SessionCaptchaFailed,
            Self::NoPuzzle => ApiCode::SessionCaptchaNotFound,
            Self::PasswordsBusy => ApiCode::UserPasswordBusy,
            Self::Failed(_) => ApiCode::ServerError,
        }
    }

    /// The message for developers of clients; the pages have their own texts.
    #[must_use]
    pub fn message(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::NoInteraction | Self::Over(_) => {
                "There is no sign-in under way in this browser, or it took too long. Start again."
            }
            Self::NotStarted => "Begin the interaction with PUT /api/experience.",
            Self::Superseded => "Another step was done at the same time. Look at the interaction, and try again.",
            Self::Closed => "The settings of sign-in do not allow it.",
            Self::WrongEvent => "This step does not belong to the event of the interaction.",
            Self::ForgotPassword => "Passwords cannot be replaced that way.",
            Self::VerificationRequired => "The verificationId is missing.",
            Self::UnknownVerification => "The interaction has no such verification.",
            Self::NotVerified => "The verification is not complete. Verify again.",
            Self::MethodDisabled => "The settings of sign-in do not accept this method.",
            Self::InvalidCredentials => "Identifier or password is wrong.",
            Self::Blocked(milliseconds) => {
                let minutes = minutes(*milliseconds);
                return format!("Too many attempts failed. Try again in {minutes} minutes.").into();
            }
            Self::Suspended => "The account is suspended.",
            Self::UnknownUser => "The user does not exist.",
            Self::OtherUser => "The interaction is another user's.",
            Self::NotIdentified | Self::NobodyToSendTo => "The user is not identified yet: identify the user first.",
            Self::UnknownIdentifier(_) => "No user has this address or number.",
            Self::ImpossibleIdentifier(IdentifierType::Phone) => "No country has such a phone number.",
            Self::ImpossibleIdentifier(_) => "Nothing can be sent to such an address.",
            Self::TooMany(_) => "Too much is created from here. Try again later.",
            Self::TooMuchData => "The data is larger than what people may write about themselves.",
            Self::BlockedEmail(_) => "This address is not allowed for registration.",
            Self::Code(refusal) => refusal.message(),
            Self::NoConnector(Channel::Email) => "There is no connector that sends emails.",
            Self::NoConnector(Channel::Phone) => "There is no connector that sends text messages.",
            Self::MessagesLimited => "Too many messages were sent there. Try again later.",
            Self::OneTimeToken(refusal) => refusal.message(),
            Self::WayBackDisabled => "Passwords cannot be reset with a code of this kind.",
            Self::NewPasswordRequired => "Choose a new password first.",
            Self::PasswordExpired => "The password has expired. Reset it with the event ForgotPassword.",
            Self::SamePassword => "The new password is the old one.",
            Self::EmailTaken => "This email is already in use.",
            Self::PhoneTaken => "This phone number is already in use.",
            Self::HasEmail => "The user has an email address.",
            Self::UnknownConnector => "There is no such social connector.",
            Self::UnknownSsoConnector => "There is no such enterprise connector.",
            Self::NotSocial => "The connector is not a social connector.",
            Self::ConnectorConfig => "The configuration of the connector cannot be used.",
            Self::RedirectUri => {
                "The redirectUri must be an address of this server, without a query, that ends in the connector's id."
            }
            Self::InsufficientInfo => "State, redirectUri or code is missing.",
            Self::NotAwaited(_) => "No answer of this connector is waited for. Begin again.",
            Self::StateMismatch => "The state belongs to another attempt.",
            Self::UpstreamDenied => "The other server did not let the person in, or they changed their mind.",
            Self::Upstream(failure) => failure.told(),
            Self::UnknownIdentity(_) | Self::UnknownSsoIdentity => "No user is linked to this account.",
            Self::IdentityTaken => "The account is linked already.",
            Self::SsoEnabled(_) => "Users with an address of this domain sign in by an enterprise connector.",
            Self::SsoUser => "The user signs in by an enterprise connector, not by a passkey.",
            Self::Administrator => "Accounts of administrators are not linked like this.",
            Self::HasPhone => "The user has a phone number.",
            Self::UsernameTaken => "This username is already in use.",
            Self::Username(issue) => {
                let bound = issue.bound().map(|(name, number)| format!(" ({name} {number})")).unwrap_or_default();
                return format!("The username is not accepted{bound}.").into();
            }
            Self::Password(_) => "The password is not accepted.",
            Self::HasUsername => "The user has a username.",
            Self::HasPassword => "The user has a password.",
            Self::MissingProfile(_) => "Required parts of the user's profile are missing.",
            Self::ExtraProfile(refused) => return refused.message().into(),
            Self::FactorRequired(..) => "Verify a second factor first.",
            Self::FurtherFactorSuggested(..) => "Ask whether the user wants another second factor.",
            Self::FactorSuggested(_) => "Ask whether the user wants a second factor.",
            Self::FactorMissing(..) => "The user has to set up a second factor.",
            Self::BackupCodesRequired => "The user has to have backup codes.",
            Self::InvalidTotp => "The one-time password is wrong, or was used before.",
            Self::InvalidBackupCode => "The backup code is wrong, or was used before.",
            Self::InvalidPasskey => "The passkey is not one of the user's, or its signature is not valid.",
            Self::NoPasskey => "The user has no passkey.",
            Self::NoPasskeyAsked | Self::NoSignInPasskeyAsked => "No passkey was asked for; ask for one first.",
            Self::PasskeySuggested => "Ask whether the user wants a passkey to sign in with.",
            Self::FactorDisabled => "The settings of sign-in do not have this second factor.",
            Self::FactorInUse(_) => "The user has a second factor of this type.",
            Self::BackupCodesAlone => "Backup codes need another factor.",
            Self::FactorNotOptional => "A second factor is not optional for this user.",
            Self::NotAMember => "The user is not a member of the organization.",
            Self::UnknownUserCode => "No device is waiting with this code.",
            Self::CaptchaRequired => "Begin the interaction with a captchaToken.",
            Self::CaptchaFailed => "The captchaToken is wrong, too old, or was used before.",
            Self::NoPuzzle => "This server has no puzzle: no captcha is configured, or that of another provider.",
            Self::PasswordsBusy => "Too many passwords are waiting to be hashed; try again later.",
            Self::Failed(_) => "Internal server error.",
        })
    }
}

fn minutes(milliseconds: i64) -> u64 {
    milliseconds.unsigned_abs().div_ceil(60_000)
}
