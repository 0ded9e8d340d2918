//! The end of a form in which a second factor was proved: the browser is trusted from now on, if its box was ticked.

use super::visitor::{Visitor, finish};
use axum::response::Response;
use claimsmith_identity::interaction::trusted_device::trust;
use claimsmith_pages::trust::FIELD;
use claimsmith_web::extract::form::Form;

/// Goes on with the interaction.
pub(super) async fn finish_trusting(mut visitor: Visitor, form: &Form) -> Response {
    if form.all(FIELD).next() == Some("true")
        && let Err(refusal) = trust(&mut visitor.current).await
    {
        return visitor.fail(&refusal);
    }
    finish(visitor).await
}
