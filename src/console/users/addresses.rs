//! Messages to a user's email or phone number: codes that verify a user's identity, and one-time sign-in links.

use super::secret::CreatedSecret;
use super::security::{applications, show_again};
use super::user::{PageHead, SECURITY, page};
use crate::answer::{done, see_other};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::one_time_tokens::OneTimeTokenView;
use serde_json::{Value, json};

pub(super) async fn send_code(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SECURITY).await?;
    match caller.change(Method::POST, "/api/verification-codes", recipient(&head, &form)).await {
        Ok(()) => Ok(see_other(&format!("{}?code={}&done=sent#code-form", page(&id, "security"), to(&form)))),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}

pub(super) async fn verify_code(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SECURITY).await?;
    let mut body = recipient(&head, &form);
    if let Value::Object(members) = &mut body {
        members.insert("verificationCode".to_owned(), form.text("code").into());
    }
    match caller.change(Method::POST, "/api/verification-codes/verify", body).await {
        Ok(()) => Ok(done(&page(&id, "security"), "verified")),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}

pub(super) async fn make_link(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SECURITY).await?;
    let Some(email) = head.user.primary_email.clone() else {
        return Err(Failure::page(&caller, StatusCode::UNPROCESSABLE_ENTITY, "This user has no email address."));
    };
    let minutes = form.text("minutes").parse().unwrap_or(10);
    match link(&caller, &email, form.text("application"), minutes).await {
        Ok(secret) => secret.show(&caller, head),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}

/// Creates a one-time link for an email address to an application, or only a token if none is chosen.
pub(super) async fn link(
    caller: &Caller,
    email: &str,
    application: &str,
    minutes: u64,
) -> Result<CreatedSecret, Failure> {
    let chosen = applications(caller).await?.into_iter().find(|known| known.id == application);
    let body = json!({ "email": email, "expiresIn": minutes.saturating_mul(60) });
    let made: OneTimeTokenView = caller.write(Method::POST, "/api/one-time-tokens", body).await?;
    let token = made.token.unwrap_or_default();
    let uri = chosen.as_ref().and_then(|chosen| chosen.oidc_client_metadata.redirect_uris.first());
    let (about, value) = if let (Some(chosen), Some(uri)) = (&chosen, uri) {
        let query = format!(
            "client_id={}&redirect_uri={}&response_type=code&scope=openid&login_hint={}&one_time_token={}",
            segment(&chosen.id),
            segment(uri),
            segment(email),
            token
        );
        let link = format!("{}/oidc/auth?{query}", caller.console().base_url);
        (format!("Whoever opens this link signs in as {email} at {}, once.", chosen.name), link)
    } else {
        let about = "Your application sends the browser to the authorization endpoint with this token as \
            one_time_token and the address as login_hint.";
        (about.to_owned(), token)
    };
    Ok(CreatedSecret { title: "A one-time link", about, values: vec![value], picture: None, then: "security" })
}

/// The submitted kind of recipient: phone, or email by default.
fn to(form: &Form) -> &'static str {
    if form.text("to") == "phone" { "phone" } else { "email" }
}

/// The recipient of a code, as the API expects it.
fn recipient(head: &PageHead, form: &Form) -> Value {
    match to(form) {
        "phone" => json!({ "phone": head.user.primary_phone }),
        _ => json!({ "email": head.user.primary_email }),
    }
}
