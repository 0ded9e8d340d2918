//! The confirmation before an account is deleted: `POST /account/delete` with `decision=delete`.

use super::proof::{prove, refused};
use super::visitor::{AccountPost, AccountVisitor, at};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_identity::own_account::deletion;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_web::redirect::see_other;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_delete.html")]
pub(crate) struct AccountDeletePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub(crate) csrf: &'a str,
}

impl AccountDeletePage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.account;
        &texts.delete_title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

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
