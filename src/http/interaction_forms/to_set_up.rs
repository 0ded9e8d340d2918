//! The second factors that the user can set up on the pages now.

use super::visitor::Visitor;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::frame::Frame;

/// The factors that the user is asked to set up.
pub(super) struct ToSetUp {
    /// The possible factors, at least one.
    pub possible: Vec<FactorType>,
    /// Whether the user may postpone them.
    pub is_skippable: bool,
}

impl ToSetUp {
    /// All except this one.
    pub(super) fn others(&self, kind: FactorType) -> Vec<FactorType> {
        self.possible.iter().copied().filter(|other| *other != kind).collect()
    }
}

/// The factors that the user is asked to set up; otherwise the page that comes next.
pub(super) async fn to_set_up(visitor: &Visitor) -> Result<ToSetUp, Response> {
    let (available, is_skippable) = match factors::check(&visitor.current).await {
        Err(InteractionRefusal::FactorSuggested(available)) => (available, true),
        Err(InteractionRefusal::FactorMissing(available, skippable)) => (available, skippable),
        Err(refusal) => return Err(visitor.next(&refusal)),
        Ok(()) => return Err(visitor.fail(&InteractionRefusal::WrongEvent)),
    };
    let possible: Vec<FactorType> =
        available.iter().copied().filter(|kind| is_possible(&visitor.frame, *kind)).collect();
    if possible.is_empty() {
        return Err(visitor.fail(&InteractionRefusal::FactorMissing(available, is_skippable)));
    }
    Ok(ToSetUp { possible, is_skippable })
}

/// Whether browsers support it here, or its codes can be sent.
fn is_possible(frame: &Frame, kind: FactorType) -> bool {
    match (kind, kind.channel()) {
        (FactorType::WebAuthn, _) => frame.has_passkeys,
        (_, Some(channel)) => frame.reach.has(channel),
        _ => true,
    }
}
