//! The end of a form that verified a second factor: the browser becomes a trusted device if the box was ticked.

use super::visitor::{Visitor, finish};
use axum::response::Response;
use claimsmith_identity::interaction::trusted_device::trust;
use claimsmith_pages::sign_in::trust::FIELD;
use claimsmith_web::extract::form::Form;

/// Continues the interaction.
pub(super) async fn finish_trusting(mut visitor: Visitor, form: &Form) -> Response {
    if form.all(FIELD).next() == Some("true")
        && let Err(refusal) = trust(&mut visitor.current).await
    {
        return visitor.fail(&refusal);
    }
    finish(visitor).await
}
