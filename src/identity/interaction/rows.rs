//! Checks the budgets of rows that outsiders create, and reports an exhausted one to the operator: by a metric, and by
//! an audit entry, which is sampled like refusals.

use super::refusal::InteractionRefusal;
use claimsmith_config::telemetry::ROWS_REFUSED;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::{Holder, RowKind};
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::RefusalReason;
use claimsmith_services::row_budgets::{Exhausted, RowHolder};

/// The caller who creates rows.
#[derive(Clone, Copy, Default)]
pub struct RowCaller<'c> {
    /// The user, for budgets per user.
    pub user_id: Option<&'c UserId>,
    /// The application that the caller uses.
    pub client_id: Option<&'c ApplicationId>,
}

/// Takes a row of this many bytes from the budget of the request. If the holder of the budget is unknown, there is no
/// limit.
pub fn take(
    app: &App,
    kind: RowKind,
    origin: &RequestOrigin,
    caller: RowCaller<'_>,
    bytes: usize,
) -> Result<(), InteractionRefusal> {
    let Some(holder) = holder(kind, origin, caller) else { return Ok(()) };
    let taken = app.row_budgets.take(kind, holder, bytes, app.clock.now_ms());
    taken.map_err(|exhausted| tell(app, kind, origin, caller, exhausted))
}

/// Refuses a request whose row could not be taken, before its body is read.
pub fn check(
    app: &App,
    kind: RowKind,
    origin: &RequestOrigin,
    caller: RowCaller<'_>,
) -> Result<(), InteractionRefusal> {
    let Some(holder) = holder(kind, origin, caller) else { return Ok(()) };
    let checked = app.row_budgets.check(kind, holder, app.clock.now_ms());
    checked.map_err(|exhausted| tell(app, kind, origin, caller, exhausted))
}

/// Takes the bytes by which a row grows from the budget.
pub(crate) fn grow(
    app: &App,
    kind: RowKind,
    origin: &RequestOrigin,
    caller: RowCaller<'_>,
    bytes: usize,
) -> Result<(), InteractionRefusal> {
    let Some(holder) = holder(kind, origin, caller) else { return Ok(()) };
    let taken = app.row_budgets.grow(kind, holder, bytes, app.clock.now_ms());
    taken.map_err(|exhausted| tell(app, kind, origin, caller, exhausted))
}

fn holder(kind: RowKind, origin: &RequestOrigin, caller: RowCaller<'_>) -> Option<RowHolder> {
    match kind.rules().holder {
        Holder::Address => origin.ip.map(RowHolder::Address),
        Holder::User => caller.user_id.map(|id| RowHolder::User(id.to_string())),
    }
}

fn tell(
    app: &App,
    kind: RowKind,
    origin: &RequestOrigin,
    caller: RowCaller<'_>,
    exhausted: Exhausted,
) -> InteractionRefusal {
    let rules = kind.rules();
    metrics::counter!(ROWS_REFUSED, "kind" => rules.name, "bound" => exhausted.bound).increment(1);
    let client_id = caller.client_id.cloned();
    let reason = RefusalReason {
        client_id: client_id.clone(),
        address: origin.ip,
        key: AuditKey::RowsRefused,
        code: rules.name,
        plugin: None,
    };
    let message = format!("The bound of {} is reached ({}).", rules.name, exhausted.bound);
    if app.refusals.admit(&reason, &message) {
        let mut entry = Entry::refused(AuditKey::RowsRefused, rules.name, &message).from(origin);
        if let Some(id) = client_id {
            entry = entry.by(&Actor::Application { id });
        }
        if let Some(id) = caller.user_id {
            entry = entry.with("userId", id.as_str());
        }
        if !entry.at(app.clock.now_ms()).is_ok_and(|log| app.issuer.note(log)) {
            app.refusals.fold(&reason, &message);
        }
    }
    InteractionRefusal::TooMany(exhausted.wait_ms)
}
