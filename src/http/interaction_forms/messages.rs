//! What people are told of a refusal, in the language of the page, and at which field.

use crate::domain::identifier::IdentifierType;
use crate::domain::password_policy::Issue;
use crate::domain::sign_in_experience::username_check::UsernameIssue;
use crate::domain::verification_code::CodeRefusal;
use crate::http::pages::form::FieldError;
use crate::http::pages::frame::Frame;
use crate::http::pages::texts::tree::fill;
use crate::interaction::refusal::Refusal;

/// The error at its field; none for what is no mistake of the person.
pub(in crate::http) fn field_error<'f>(frame: &'f Frame, refusal: &Refusal) -> Option<FieldError<'f>> {
    let texts = &frame.t.errors;
    Some(match refusal {
        Refusal::InvalidCredentials | Refusal::MethodDisabled | Refusal::NotVerified | Refusal::UnknownUser => {
            FieldError::of_form(texts.wrong_credentials.as_str())
        }
        Refusal::Blocked(milliseconds) => {
            let minutes = usize::try_from(milliseconds.unsigned_abs().div_ceil(60_000)).unwrap_or(usize::MAX);
            let text = texts.locked.of(minutes, &frame.language);
            FieldError::of_form(fill(text, &[("minutes", &minutes.to_string())]))
        }
        Refusal::UnknownIdentifier(_) => FieldError::of_form(texts.no_account.as_str()),
        Refusal::ImpossibleIdentifier(IdentifierType::Phone) => {
            FieldError::at("identifier", texts.phone_format.as_str())
        }
        Refusal::ImpossibleIdentifier(_) => FieldError::at("identifier", texts.email_format.as_str()),
        Refusal::BlockedEmail(_) => FieldError::at("identifier", texts.address_blocked.as_str()),
        Refusal::EmailTaken => FieldError::at("identifier", texts.email_taken.as_str()),
        Refusal::PhoneTaken => FieldError::at("identifier", texts.phone_taken.as_str()),
        Refusal::NoConnector(_) => FieldError::of_form(texts.no_codes.as_str()),
        Refusal::MessagesLimited => FieldError::of_form(texts.too_many_codes.as_str()),
        Refusal::Code(CodeRefusal::Expired | CodeRefusal::NotFound) => {
            FieldError::at("code", texts.expired_code.as_str())
        }
        Refusal::Code(CodeRefusal::TooManyAttempts) => FieldError::at("code", texts.too_many_tries.as_str()),
        Refusal::InvalidTotp | Refusal::InvalidBackupCode | Refusal::Code(_) => {
            FieldError::at("code", texts.wrong_code.as_str())
        }
        Refusal::SamePassword => FieldError::at("password", texts.password.same.as_str()),
        Refusal::InvalidPasskey
        | Refusal::NoPasskey
        | Refusal::NoPasskeyAsked
        | Refusal::NoSignInPasskeyAsked
        | Refusal::UnknownVerification => FieldError::of_form(frame.t.passkey.failed.as_str()),
        Refusal::UnknownUserCode => FieldError::at("user_code", texts.wrong_code.as_str()),
        Refusal::UpstreamDenied => FieldError::of_form(texts.elsewhere_denied.as_str()),
        Refusal::Upstream(_) | Refusal::ConnectorConfig | Refusal::InsufficientInfo => {
            FieldError::of_form(texts.elsewhere_failed.as_str())
        }
        Refusal::CaptchaRequired | Refusal::CaptchaFailed => FieldError::of_form(frame.t.captcha.failed.as_str()),
        Refusal::SsoEnabled(_) | Refusal::SsoUser => FieldError::of_form(frame.t.enterprise.link.as_str()),
        Refusal::Suspended => FieldError::of_form(texts.suspended.as_str()),
        Refusal::PasswordsBusy => FieldError::of_form(texts.too_many_requests.as_str()),
        Refusal::UsernameTaken => FieldError::at("username", texts.username_taken.as_str()),
        Refusal::Username(issue) => FieldError::at("username", username(frame, *issue)),
        Refusal::Password(issues) => FieldError::at("password", issues.first().map(|issue| password(frame, *issue))?),
        Refusal::Closed => FieldError::of_form(texts.sign_in_closed.as_str()),
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
        _ => texts.username_format.clone(),
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
