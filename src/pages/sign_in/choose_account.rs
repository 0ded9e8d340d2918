//! Choosing one of several accounts that are signed in: `POST /switch-account` with `account`, which is the id of a
//! session, or `another`.

use super::visitor::{InteractionPost, Visitor};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_identity::interaction::accounts::{accounts, choose as choose_account};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::redirect::see_other;

/// The value of `account` for one that is not signed in yet.
pub(crate) const ANOTHER: &str = "another";

/// The page.
#[derive(Debug, Template)]
#[template(path = "choose_account.html")]
pub(crate) struct ChooseAccountPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// The accounts.
    pub(crate) accounts: Vec<AccountView<'a>>,
}

/// An account that is signed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountView<'a> {
    /// The id of its session.
    pub(crate) session_id: &'a str,
    /// The name of its user.
    pub(crate) name: &'a str,
    /// The address of their picture.
    pub(crate) avatar: Option<&'a str>,
    /// Their identifier, if it differs from the name.
    pub(crate) detail: Option<&'a str>,
}

impl ChooseAccountPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.choose_account.title
    }

    fn description(&self) -> String {
        self.frame.titled(&self.frame.t.choose_account.description, "")
    }

    fn portrait(&self, account: &AccountView<'_>) -> Option<String> {
        page::picture(self.frame, account.avatar)
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    let accounts = match accounts(&visitor.current).await {
        Ok(accounts) => accounts,
        Err(refusal) => return visitor.fail(&refusal),
    };
    if accounts.is_empty() {
        return visitor.at(paths::SIGN_IN);
    }
    let views = accounts.iter().map(|(session, user)| {
        let identifier = user.username.as_deref().or(user.primary_email.as_deref()).or(user.primary_phone.as_deref());
        let name = user.name.as_deref().filter(|name| !name.is_empty());
        AccountView {
            session_id: &session.id,
            name: name.or(identifier).unwrap_or(&user.id),
            avatar: user.avatar.as_deref(),
            detail: identifier.filter(|_| name.is_some()),
        }
    });
    ChooseAccountPage { frame: &visitor.frame, csrf: &visitor.csrf, accounts: views.collect() }.answer()
}

pub(super) async fn choose(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let chosen = match form.all("account").next() {
        Some(ANOTHER) => return visitor.at(paths::SIGN_IN),
        Some(id) => choose_account(&mut visitor.current, &id.into()).await,
        None => Err(InteractionRefusal::VerificationRequired),
    };
    match chosen {
        Ok(()) => see_other(&visitor.current.resume_url()),
        Err(refusal) => visitor.fail(&refusal),
    }
}
