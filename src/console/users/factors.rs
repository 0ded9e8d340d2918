//! Second factors, passkeys and linked accounts of a user: adds and removes them.

use super::secret::CreatedSecret;
use super::security::show_again;
use super::user::{PageHead, SECURITY, operation, page};
use crate::answer::done;
use crate::caller::segment;
use crate::failure::Failure;
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use claimsmith_api::users::sign_in::CreatedFactor;
use serde_json::json;

pub(super) async fn add_factor(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let kind = if form.text("type") == "Totp" { "Totp" } else { "BackupCode" };
    let path = operation(&id, "/mfa-verifications");
    let made: CreatedFactor = match caller.write(Method::POST, &path, json!({ "type": kind })).await {
        Ok(made) => made,
        Err(failure) => return show_again(&caller, &id, failure).await,
    };
    let head = PageHead::load(&caller, &id, SECURITY).await?;
    let secret = match made {
        CreatedFactor::Totp { secret, secret_qr_code } => CreatedSecret {
            title: "The authenticator application",
            about: "Scan the code with an authenticator application, or type the secret there.".to_owned(),
            values: vec![secret],
            picture: Some(secret_qr_code),
            then: "security",
        },
        CreatedFactor::BackupCode { codes } => CreatedSecret {
            title: "The backup codes",
            about: "Each works once, where no other factor is at hand.".to_owned(),
            values: codes,
            picture: None,
            then: "security",
        },
    };
    secret.show(&caller, head)
}

pub(super) async fn remove_factor(
    Path((id, factor)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    match caller.delete(&operation(&id, &format!("/mfa-verifications/{}", segment(&factor)))).await {
        Ok(()) => Ok(done(&page(&id, "security"), "removed")),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}

pub(super) async fn unlink_identity(
    Path((id, target)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    match caller.delete(&operation(&id, &format!("/identities/{}", segment(&target)))).await {
        Ok(()) => Ok(done(&page(&id, "security"), "removed")),
        Err(failure) => show_again(&caller, &id, failure).await,
    }
}
