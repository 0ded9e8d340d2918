//! `/switch-account`: choice between the accounts that are signed in, and another one.

use super::visitor::{InteractionPost, Visitor};
use axum::response::Response;
use claimsmith_identity::interaction::accounts::{accounts, choose as choose_account};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::paths;
use claimsmith_pages::sign_in::choose_account::{ANOTHER, AccountView, ChooseAccountPage};
use claimsmith_web::redirect::see_other;

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
