//! The text of the checkbox by which a user trusts the browser.

use crate::frame::Frame;
use crate::texts::tree::fill;

/// The name of the box.
pub const FIELD: &str = "trust_device";

/// The label of the checkbox; none if the settings do not allow trusting a browser.
pub(super) fn text(frame: &Frame) -> Option<String> {
    let days = frame.settings.trusted_device.days()?;
    let count = usize::try_from(days).unwrap_or(usize::MAX);
    Some(fill(frame.t.second_factor.trust.of(count, &frame.language), &[("days", &days.to_string())]))
}
