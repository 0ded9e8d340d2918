//! Messages of refusals, in the language of the page, with the field that they belong to.

use crate::form::FieldError;
use crate::frame::Frame;
use crate::texts::tree::fill;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::password_policy::Issue;
use claimsmith_domain::sign_in_experience::username_check::UsernameIssue;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

/// The error at its field; `None` for a refusal that is not a mistake of the user.
#[must_use]
pub fn field_error<'f>(frame: &'f Frame, refusal: &InteractionRefusal) -> Option<FieldError<'f>> {
    let texts = &frame.t.errors;
    Some(match refusal {
        InteractionRefusal::InvalidCredentials
        | InteractionRefusal::MethodDisabled
        | InteractionRefusal::NotVerified
        | InteractionRefusal::UnknownUser => FieldError::of_form(texts.wrong_credentials.as_str()),
        InteractionRefusal::Blocked(milliseconds) => {
            let minutes = usize::try_from(milliseconds.unsigned_abs().div_ceil(60_000)).unwrap_or(usize::MAX);
            let text = texts.locked.of(minutes, &frame.language);
            FieldError::of_form(fill(text, &[("minutes", &minutes.to_string())]))
        }
        InteractionRefusal::UnknownIdentifier(_) => FieldError::of_form(texts.no_account.as_str()),
        InteractionRefusal::ImpossibleIdentifier(IdentifierType::Phone) => {
            FieldError::at("identifier", texts.phone_format.as_str())
        }
        InteractionRefusal::ImpossibleIdentifier(_) => FieldError::at("identifier", texts.email_format.as_str()),
        InteractionRefusal::BlockedEmail(_) => FieldError::at("identifier", texts.address_blocked.as_str()),
        InteractionRefusal::EmailTaken => FieldError::at("identifier", texts.email_taken.as_str()),
        InteractionRefusal::PhoneTaken => FieldError::at("identifier", texts.phone_taken.as_str()),
        InteractionRefusal::NoConnector(_) => FieldError::of_form(texts.no_codes.as_str()),
        InteractionRefusal::MessagesLimited => FieldError::of_form(texts.too_many_codes.as_str()),
        InteractionRefusal::Code(CodeRefusal::Expired | CodeRefusal::NotFound) => {
            FieldError::at("code", texts.expired_code.as_str())
        }
        InteractionRefusal::Code(CodeRefusal::TooManyAttempts) => FieldError::at("code", texts.too_many_tries.as_str()),
        InteractionRefusal::InvalidTotp | InteractionRefusal::InvalidBackupCode | InteractionRefusal::Code(_) => {
            FieldError::at("code", texts.wrong_code.as_str())
        }
        InteractionRefusal::PasswordExpired => FieldError::of_form(texts.password_expired.as_str()),
        InteractionRefusal::SamePassword => FieldError::at("password", texts.password.same.as_str()),
        InteractionRefusal::InvalidPasskey
        | InteractionRefusal::NoPasskey
        | InteractionRefusal::NoPasskeyAsked
        | InteractionRefusal::NoSignInPasskeyAsked
        | InteractionRefusal::UnknownVerification => FieldError::of_form(frame.t.passkey.failed.as_str()),
        InteractionRefusal::UnknownUserCode => FieldError::at("user_code", texts.wrong_code.as_str()),
        InteractionRefusal::UpstreamDenied => FieldError::of_form(texts.elsewhere_denied.as_str()),
        InteractionRefusal::Upstream(_)
        | InteractionRefusal::ConnectorConfig
        | InteractionRefusal::InsufficientInfo => FieldError::of_form(texts.elsewhere_failed.as_str()),
        InteractionRefusal::CaptchaRequired | InteractionRefusal::CaptchaFailed => {
            FieldError::of_form(frame.t.captcha.failed.as_str())
        }
        InteractionRefusal::SsoEnabled(_) | InteractionRefusal::SsoUser => {
            FieldError::of_form(frame.t.enterprise.link.as_str())
        }
        InteractionRefusal::Suspended => FieldError::of_form(texts.suspended.as_str()),
        InteractionRefusal::PasswordsBusy => FieldError::of_form(texts.too_many_requests.as_str()),
        InteractionRefusal::UsernameTaken => FieldError::at("username", texts.username_taken.as_str()),
        InteractionRefusal::Username(issue) => FieldError::at("username", username(frame, *issue)),
        InteractionRefusal::Password(issues) => {
            FieldError::at("password", issues.first().map(|issue| password(frame, *issue))?)
        }
        InteractionRefusal::Closed => FieldError::of_form(texts.sign_in_closed.as_str()),
        _ => return None,
    })
}

fn username(frame: &Frame, issue: UsernameIssue) -> String {
    let texts = &frame.t.errors;
    let counted = |text: &str, name, number: usize| fill(text, &[(name, &number.to_string())]);
    match issue {
        UsernameIssue::Required => texts.required.clone(),
        UsernameIssue::TooShort(min) => counted(texts.username_too_short.of(min, &frame.language), "min", min),
        UsernameIssue::TooLong(max) => counted(texts.username_too_long.of(max, &frame.language), "max", max),
        _ if frame.settings.username_policy.allowed_chars.are_plain() => texts.username_format.clone(),
        _ => texts.username_characters.clone(),
    }
}

fn password(frame: &Frame, issue: Issue) -> String {
    let texts = &frame.t.errors.password;
    let counted = |text: &str, name, number: usize| fill(text, &[(name, &number.to_string())]);
    match issue {
        Issue::TooShort(min) => counted(texts.too_short.of(min, &frame.language), "min", min),
        Issue::TooLong(max) => counted(texts.too_long.of(max, &frame.language), "max", max),
        Issue::CharacterTypes(min) => counted(texts.character_types.of(min, &frame.language), "min", min),
        Issue::UnsupportedCharacters => texts.unsupported_characters.clone(),
        Issue::Common => texts.common.clone(),
        Issue::Repetition => texts.repetition.clone(),
        Issue::Sequence => texts.sequence.clone(),
        Issue::UserInfo => texts.user_info.clone(),
        Issue::Words => texts.words.clone(),
    }
}
