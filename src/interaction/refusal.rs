//! Why a step is refused: one list, which the Interaction API renders as JSON and the pages at their fields.

use crate::accounts;
use crate::domain::mfa::FactorType;
use crate::domain::password_policy::Issue;
use crate::domain::sign_in_experience::mandatory::Missing;
use crate::domain::sign_in_experience::username_check::UsernameIssue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::error::Error;

/// Why nothing was done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The browser has no interaction, or it is over.
    NoInteraction,
    /// It was not said yet what it is about.
    NotStarted,
    /// Another step was done at the same time.
    Superseded,
    /// The settings do not let people do that.
    Closed,
    /// Another event than the interaction's.
    WrongEvent,
    /// Forgotten passwords cannot be replaced that way.
    ForgotPassword,
    /// It was not said which verification.
    VerificationRequired,
    /// The interaction has no such verification.
    UnknownVerification,
    /// The verification does not prove what it has to.
    NotVerified,
    /// The settings do not take this identifier with a password.
    MethodDisabled,
    /// There is no such user, or the password is another one.
    InvalidCredentials,
    /// Too many attempts failed; again in so many milliseconds.
    Blocked(i64),
    /// The user is suspended.
    Suspended,
    /// The user is there no more.
    UnknownUser,
    /// The interaction is another user's.
    OtherUser,
    /// It is not known yet who it is.
    NotIdentified,
    /// Somebody has this user name.
    UsernameTaken,
    /// The user name is not as it has to be.
    Username(UsernameIssue),
    /// The password is not as it has to be.
    Password(Vec<Issue>),
    /// The user has a user name.
    HasUsername,
    /// The user has a password.
    HasPassword,
    /// The user lacks what everybody must have.
    MissingProfile(Vec<Missing>),
    /// The user has to prove one of these second factors.
    FactorRequired(Vec<FactorType>),
    /// The user is to say whether they want one of these second factors.
    FactorSuggested(Vec<FactorType>),
    /// The user is to set up one of these second factors; whether they may put it off.
    FactorMissing(Vec<FactorType>, bool),
    /// The user is to have backup codes.
    BackupCodesRequired,
    /// It is no one-time password of now, or it was used before.
    InvalidTotp,
    /// It is no backup code of the user, or it was used before.
    InvalidBackupCode,
    /// The settings do not take this second factor.
    FactorDisabled,
    /// The user has a second factor of this type.
    FactorInUse(FactorType),
    /// Backup codes need another factor.
    BackupCodesAlone,
    /// The user may not put second factors off.
    FactorNotOptional,
    /// The user is no member of an organization that was chosen.
    NotAMember,
    /// No device waits with this user code.
    UnknownUserCode,
    /// Too many passwords wait to be digested.
    PasswordsBusy,
    /// The server failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl<E: Error + Send + Sync + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<accounts::Refusal> for Refusal {
    fn from(refusal: accounts::Refusal) -> Self {
        match refusal {
            accounts::Refusal::UnknownUser(_) => Self::UnknownUser,
            // Nothing else is given here that could be somebody's.
            accounts::Refusal::Taken(_) | accounts::Refusal::Conflict => Self::UsernameTaken,
            accounts::Refusal::PasswordsBusy => Self::PasswordsBusy,
            accounts::Refusal::FactorInUse(kind) => Self::FactorInUse(kind),
            accounts::Refusal::BackupCodesAlone => Self::BackupCodesAlone,
            accounts::Refusal::WrongPassword | accounts::Refusal::UnverifiablePassword(_) => Self::InvalidCredentials,
            accounts::Refusal::Failed(error) => Self::Failed(error),
            other => Self::Failed(format!("an interaction cannot meet {other:?}").into()),
        }
    }
}

impl Refusal {
    /// The status of the answer, and the code.
    pub(crate) fn status_and_code(&self) -> (u16, &'static str) {
        match self {
            Self::NoInteraction => (400, "session.not_found"),
            Self::NotStarted => (404, "session.interaction_not_found"),
            Self::Superseded => (409, "session.interaction_changed"),
            Self::Closed => (403, "auth.forbidden"),
            Self::WrongEvent => (400, "session.invalid_interaction_type"),
            Self::ForgotPassword => (400, "session.not_supported_for_forgot_password"),
            Self::VerificationRequired => (400, "guard.invalid_input"),
            Self::UnknownVerification => (404, "session.verification_session_not_found"),
            Self::NotVerified => (400, "session.verification_failed"),
            Self::MethodDisabled => (422, "user.sign_in_method_not_enabled"),
            Self::InvalidCredentials => (422, "session.invalid_credentials"),
            Self::Blocked(_) => (400, "session.verification_blocked_too_many_attempts"),
            Self::Suspended => (401, "user.suspended"),
            Self::UnknownUser => (404, "user.user_not_exist"),
            Self::OtherUser => (409, "session.identity_conflict"),
            Self::NotIdentified => (404, "session.identifier_not_found"),
            Self::UsernameTaken => (422, "user.username_already_in_use"),
            Self::Username(issue) => (422, issue.code()),
            Self::Password(_) => (422, "password.rejected"),
            Self::HasUsername => (422, "user.username_exists_in_profile"),
            Self::HasPassword => (422, "user.password_exists_in_profile"),
            Self::MissingProfile(_) => (422, "user.missing_profile"),
            Self::FactorRequired(_) => (403, "session.mfa.require_mfa_verification"),
            Self::FactorSuggested(_) => (422, "user.suggest_mfa"),
            Self::FactorMissing(..) => (422, "user.missing_mfa"),
            Self::BackupCodesRequired => (422, "session.mfa.backup_code_required"),
            Self::InvalidTotp => (400, "session.mfa.invalid_totp_code"),
            Self::InvalidBackupCode => (400, "session.mfa.invalid_backup_code"),
            Self::FactorDisabled => (400, "session.mfa.mfa_factor_not_enabled"),
            Self::FactorInUse(FactorType::Totp) => (422, "user.totp_already_in_use"),
            Self::FactorInUse(FactorType::BackupCode) => (422, "user.backup_code_already_in_use"),
            Self::BackupCodesAlone => (422, "session.mfa.backup_code_can_not_be_alone"),
            Self::FactorNotOptional => (422, "session.mfa.mfa_policy_not_user_controlled"),
            Self::NotAMember => (422, "organization.require_membership"),
            Self::UnknownUserCode => (422, "device.user_code_not_found"),
            Self::PasswordsBusy => (503, "user.password_busy"),
            Self::Failed(_) => (500, "server_error"),
        }
    }

    /// For people who write clients; the pages have their own words.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::NoInteraction => "There is no sign-in under way in this browser, or it took too long. Start again.",
            Self::NotStarted => "Begin the interaction with PUT /api/experience.",
            Self::Superseded => "Another step was done at the same time. Look at the interaction, and try again.",
            Self::Closed => "The settings of sign-in do not allow it.",
            Self::WrongEvent => "This step does not belong to the event of the interaction.",
            Self::ForgotPassword => "Passwords cannot be replaced that way.",
            Self::VerificationRequired => "The verificationId is missing.",
            Self::UnknownVerification => "The interaction has no such verification.",
            Self::NotVerified => "The verification does not prove who it is. Verify again.",
            Self::MethodDisabled => "This identifier is not taken with a password.",
            Self::InvalidCredentials => "Identifier or password is wrong.",
            Self::Blocked(milliseconds) => {
                let minutes = minutes(*milliseconds);
                return format!("Too many attempts failed. Try again in {minutes} minutes.").into();
            }
            Self::Suspended => "The account is suspended.",
            Self::UnknownUser => "The user does not exist.",
            Self::OtherUser => "The interaction is another user's.",
            Self::NotIdentified => "It is not known yet who it is: identify the user first.",
            Self::UsernameTaken => "This username is already in use.",
            Self::Username(issue) => {
                let bound = issue.bound().map(|(name, number)| format!(" ({name} {number})")).unwrap_or_default();
                return format!("The username is not accepted{bound}.").into();
            }
            Self::Password(_) => "The password is not accepted.",
            Self::HasUsername => "The user has a username.",
            Self::HasPassword => "The user has a password.",
            Self::MissingProfile(_) => "The user lacks what everybody must have.",
            Self::FactorRequired(_) => "Verify a second factor first.",
            Self::FactorSuggested(_) => "Ask whether the user wants a second factor.",
            Self::FactorMissing(..) => "The user has to set up a second factor.",
            Self::BackupCodesRequired => "The user has to have backup codes.",
            Self::InvalidTotp => "The one-time password is wrong, or was used before.",
            Self::InvalidBackupCode => "The backup code is wrong, or was used before.",
            Self::FactorDisabled => "The settings of sign-in do not have this second factor.",
            Self::FactorInUse(_) => "The user has a second factor of this type.",
            Self::BackupCodesAlone => "Backup codes need another factor.",
            Self::FactorNotOptional => "A second factor is not optional for this user.",
            Self::NotAMember => "The user is not a member of the organization.",
            Self::UnknownUserCode => "No device is waiting with this code.",
            Self::PasswordsBusy => "Too many passwords are waiting to be hashed; try again later.",
            Self::Failed(_) => "Internal server error.",
        })
    }

    /// What a program may want to know. `next` is the route of the next step, below `/api/experience`.
    pub(crate) fn data(&self) -> Option<Value> {
        match self {
            Self::Blocked(milliseconds) => {
                Some(json!({ "relativeTime": format!("{} minutes", minutes(*milliseconds)) }))
            }
            Self::Username(issue) => issue.bound().map(|(name, number)| json!({ name: number })),
            Self::Password(issues) => Some(json!({ "issues": issues.iter().map(password_issue).collect::<Vec<_>>() })),
            Self::MissingProfile(missing) => Some(json!({ "missingProfile": missing, "next": "profile" })),
            Self::FactorRequired(available) => Some(json!({
                "availableFactors": available, "maskedIdentifiers": {}, "next": "verification/totp/verify",
            })),
            Self::FactorSuggested(available) => Some(json!({
                "availableFactors": available, "skippable": true, "next": "profile/mfa/mfa-enabled",
            })),
            Self::FactorMissing(available, skippable) => {
                let mut data = json!({ "availableFactors": available, "next": "verification/totp/secret" });
                if *skippable {
                    data["skippable"] = Value::Bool(true);
                }
                Some(data)
            }
            Self::BackupCodesRequired => Some(json!({ "next": "verification/backup-code/generate" })),
            Self::NotIdentified => Some(json!({ "next": "identification" })),
            Self::NotVerified => Some(json!({ "next": "verification" })),
            _ => None,
        }
    }
}

fn password_issue(issue: &Issue) -> Value {
    match issue.bound() {
        Some((name, number)) => json!({ "code": issue.code(), "interpolation": { name: number } }),
        None => json!({ "code": issue.code() }),
    }
}

fn minutes(milliseconds: i64) -> u64 {
    milliseconds.unsigned_abs().div_ceil(60_000)
}
