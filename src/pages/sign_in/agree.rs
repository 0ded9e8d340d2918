//! `/register/elsewhere`: a new user who returns from a connector agrees to the terms before the account is created,
//! where the terms need a ticked box.

use super::federated::fail;
use super::verification_code::NoAccountPage;
use super::visitor::{InteractionPost, Visitor, finish};
use crate::form::FieldError;
use crate::paths;
use axum::response::Response;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::switch;

pub(super) async fn show(visitor: Visitor) -> Response {
    match newcomer(&visitor) {
        Some((_, address)) => page(&visitor, &address, None),
        None => visitor.at(paths::SIGN_IN),
    }
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let Some((id, address)) = newcomer(&visitor) else { return visitor.at(paths::SIGN_IN) };
    if !visitor.has_agreed(&form, true) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return page(&visitor, &address, Some(error));
    }
    let steps = async {
        switch(&mut visitor.current, InteractionEvent::Register).await?;
        identify(&mut visitor.current, Some(&id)).await
    };
    match steps.await {
        Ok(_) => finish(visitor).await,
        // The connector's values are kept, and the missing ones are requested.
        Err(InteractionRefusal::MissingProfile(_)) => visitor.at(paths::PROFILE),
        Err(refusal) => fail(&visitor, &refusal),
    }
}

/// The verification of a connector's account that no user has yet, and the name by which its owner recognizes it.
fn newcomer(visitor: &Visitor) -> Option<(String, String)> {
    let progress = &visitor.current.progress;
    let mut verifications = progress.verifications.iter().rev().filter(|_| progress.user_id.is_none());
    verifications.find_map(|kept| {
        let (_, federated) = kept.method.federated()?;
        let account = federated.account.as_ref()?;
        let known = account.email.as_ref().or(account.name.as_ref()).unwrap_or(&federated.realm);
        Some((kept.id.clone(), known.clone()))
    })
}

fn page(visitor: &Visitor, address: &str, error: Option<FieldError<'_>>) -> Response {
    let (frame, csrf, action) = (&visitor.frame, &visitor.csrf, paths::REGISTER_ELSEWHERE);
    NoAccountPage { frame, csrf, error, action, address, has_agreed: false }.answer()
}
