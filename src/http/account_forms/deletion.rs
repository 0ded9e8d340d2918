//! Deletion of the account by its owner.

use super::guard::{prove, refused};
use super::visitor::{AccountPost, AccountVisitor, at};
use axum::response::Response;
use claimsmith_identity::own_account::deletion;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_pages::account::deletion::AccountDeletePage;
use claimsmith_pages::paths;
use claimsmith_web::redirect::see_other;

/// Asks for confirmation.
pub(super) async fn ask(person: AccountVisitor) -> Response {
    if !person.settings.deletion_enabled {
        return person.fail(&OwnAccountRefusal::DeletionOff);
    }
    AccountDeletePage { frame: &person.frame, csrf: &person.csrf }.answer()
}

/// Deletes the account.
pub(super) async fn delete(AccountPost(person, form): AccountPost) -> Response {
    if form.all("decision").next() != Some("delete") {
        return see_other(&at(&person.owner.app, paths::ACCOUNT));
    }
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_DELETE).await {
        return asked;
    }
    match deletion::delete(&person.owner).await {
        Ok(()) => see_other(&at(&person.owner.app, paths::SIGNED_OUT)),
        Err(refusal) => refused(&person, &form, paths::ACCOUNT_DELETE, refusal).await,
    }
}
