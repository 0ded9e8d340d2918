//! `/console/users/{id}/security`: a user's password, second factors, passkeys, linked accounts and identifiers.

use super::user::{PageHead, SECURITY};
use crate::answer::show_as;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::UserFacts;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::users::sign_in::FactorView;
use claimsmith_domain::documents::mfa::FactorType;

/// What the page says of a second factor or a passkey.
trait FactorFacts {
    fn title(&self) -> &'static str;
    /// Whether it is a factor by email or phone code, which is removed with the email or phone number itself.
    fn is_address(&self) -> bool;
}

impl FactorFacts for FactorView {
    fn title(&self) -> &'static str {
        match self.r#type {
            FactorType::WebAuthn => "Passkey",
            FactorType::Totp => "Authenticator application",
            FactorType::BackupCode => "Backup codes",
            FactorType::PhoneVerificationCode => "Codes by text message",
            FactorType::EmailVerificationCode => "Codes by email",
        }
    }

    fn is_address(&self) -> bool {
        self.r#type.channel().is_some()
    }
}

#[derive(Template)]
#[template(path = "users/security.html")]
struct SecurityPage {
    frame: Frame,
    head: PageHead,
    factors: Vec<FactorView>,
    /// Applications that a one-time link can lead to.
    applications: Vec<ApplicationView>,
    /// Where a code was sent: `email` or `phone`.
    code_sent_to: String,
}

impl SecurityPage {
    fn has(&self, kind: &str) -> bool {
        self.factors.iter().any(|factor| factor.r#type.as_str() == kind)
    }
}

pub(super) async fn show_security(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SECURITY).await?;
    show_with(&caller, head, StatusCode::OK).await
}

/// The page with the error of a failed action.
pub(super) async fn show_again(caller: &Caller, id: &str, failure: Failure) -> Result<Response, Failure> {
    let refusal = failure.about_input()?;
    let head = PageHead::load(caller, id, SECURITY).await?.with_alert(refusal.text());
    show_with(caller, head, StatusCode::UNPROCESSABLE_ENTITY).await
}

async fn show_with(caller: &Caller, head: PageHead, status: StatusCode) -> Result<Response, Failure> {
    let factors = caller.get(&head.operation("/mfa-verifications")).await?;
    let applications = if caller.may("POST", "/api/one-time-tokens") && head.user.primary_email.is_some() {
        applications(caller).await?
    } else {
        Vec::new()
    };
    let sent = caller.query("code").or_else(|| caller.form().map(|form| form.text("to")));
    let code_sent_to = sent.filter(|to| matches!(*to, "email" | "phone")).unwrap_or_default().to_owned();
    let frame = Frame::new(caller, Section::Users);
    show_as(caller, status, &SecurityPage { frame, head, factors, applications, code_sent_to })
}

/// Traditional web applications: a plain link can start their sign-in, without their involvement.
pub(super) async fn applications(caller: &Caller) -> Result<Vec<ApplicationView>, Failure> {
    let found: Option<Vec<ApplicationView>> = caller.get_if_allowed("/api/applications?types=Traditional").await?;
    let mut found = found.unwrap_or_default();
    found.retain(|application| !application.oidc_client_metadata.redirect_uris.is_empty());
    Ok(found)
}
