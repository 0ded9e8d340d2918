//! The form of a new password. It also asks for the current password, if the user has one.

use super::guard::{prove, refused, settle, verify};
use super::messages::field_error;
use super::overview;
use super::visitor::AccountPost;
use axum::response::Response;
use claimsmith_identity::own_account::password;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::paths;

/// Sets the password.
pub(super) async fn set(AccountPost(person, form): AccountPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let (current, new) = (text("current_password"), text("new_password"));
    let has_password = person.user.password_digest.is_some();
    if !has_password && let Err(asked) = prove(&person, &form, paths::ACCOUNT_PASSWORD).await {
        return asked;
    }
    for (field, value, is_asked) in [("current_password", current, has_password), ("new_password", new, true)] {
        if is_asked && value.is_empty() {
            let error = FieldError::at(field, person.frame.t.errors.required.as_str());
            return overview::page(&person, None, Some(error), false).await;
        }
    }
    if has_password && let Err(refusal) = verify(&person, current).await {
        return match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(&person, None, Some(error), false).await,
            None => person.fail(&refusal),
        };
    }
    let outcome = password::set(&person.owner, new).await;
    match outcome {
        Err(refusal) => refused(&person, &form, paths::ACCOUNT_PASSWORD, refusal).await,
        done => settle(&person, &form, paths::ACCOUNT_PASSWORD, done).await,
    }
}
