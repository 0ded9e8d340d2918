//! Trusted devices: the checkbox on the page of a second factor, and the end of its form.

use super::visitor::{Visitor, finish};
use crate::frame::Frame;
use crate::texts::tree::fill;
use axum::response::Response;
use claimsmith_identity::interaction::trusted_device::trust;
use claimsmith_web::extract::form::Form;

/// The name of the box.
pub(crate) const FIELD: &str = "trust_device";

/// The label of the checkbox; none if the settings do not allow trusting a browser.
pub(super) fn text(frame: &Frame) -> Option<String> {
    let days = frame.settings.trusted_device.days()?;
    let count = usize::try_from(days).unwrap_or(usize::MAX);
    Some(fill(frame.t.second_factor.trust.of(count, &frame.language), &[("days", &days.to_string())]))
}

/// Continues the interaction.
pub(super) async fn finish_trusting(mut visitor: Visitor, form: &Form) -> Response {
    if form.all(FIELD).next() == Some("true")
        && let Err(refusal) = trust(&mut visitor.current).await
    {
        return visitor.fail(&refusal);
    }
    finish(visitor).await
}
