//! `/second-factor/set-up`: an authenticator app, where the policy requires a second factor.

use super::messages::field_error;
use super::to_set_up::to_set_up;
use super::visitor::{InteractionPost, Visitor, finish};
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors::bind::{bind, skip};
use claimsmith_identity::interaction::factors::totp;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::sign_in::set_up_factor::SetUpFactorPage;
use claimsmith_pages::sign_in::set_up_ways::set_up_path;

/// Maximum bytes of a code.
const MAX_BYTES: usize = 64;

pub(super) async fn show(visitor: Visitor) -> Response {
    page(visitor, None).await
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    if text("decision") == "skip" {
        return match skip(&mut visitor.current).await {
            Ok(()) => finish(visitor).await,
            Err(refusal) => visitor.fail(&refusal),
        };
    }
    let (id, code) = (text("verification_id"), text("code").trim());
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(visitor, Some(error)).await;
    }
    let steps = async {
        if code.len() > MAX_BYTES {
            return Err(InteractionRefusal::InvalidTotp);
        }
        let confirmed = totp::confirm(&mut visitor.current, id, code).await?;
        bind(&mut visitor.current, FactorType::Totp, &confirmed).await
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // A newer secret was generated meanwhile.
        Err(InteractionRefusal::UnknownVerification) => page(visitor, None).await,
        Err(refusal) => {
            let error = field_error(&visitor.frame, &refusal);
            let error = error.map(|error| FieldError::at("code", error.message.into_owned()));
            match error {
                Some(error) => page(visitor, Some(error)).await,
                None => visitor.fail(&refusal),
            }
        }
    }
}

/// The page, if an authenticator app can be set up; otherwise the one that comes next.
async fn page(mut visitor: Visitor, error: Option<FieldError<'_>>) -> Response {
    let asked = match to_set_up(&visitor).await {
        Ok(asked) => asked,
        Err(response) => return response,
    };
    if let Some(first) = asked.possible.first().filter(|_| !asked.possible.contains(&FactorType::Totp)) {
        return visitor.at(set_up_path(*first));
    }
    let new = match totp::pending_secret(&mut visitor.current).await {
        Ok(new) => new,
        Err(refusal) => return visitor.fail(&refusal),
    };
    SetUpFactorPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        verification_id: &new.verification_id,
        secret: &new.secret,
        qr_code: &new.qr_code,
        others: &asked.others(FactorType::Totp),
        is_skippable: asked.is_skippable,
    }
    .answer()
}
