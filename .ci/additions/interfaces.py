"""Additions to what programs see: an endpoint, an event, an audit key, an error code and a grant type."""

ENDPOINT = """//! `GET /api/dashboard/addition`.

use super::trend;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::dashboard::Trend;
use claimsmith_domain::management::LogsRead;
use claimsmith_web::extract::management::Management;

/// Shows the addition.
#[utoipa::path(
    get, path = "/api/dashboard/addition", tag = "Dashboard",
    responses((status = 200, description = "The addition", body = Trend), AccessRefused),
)]
pub(super) async fn show_addition(management: Management<LogsRead>) -> Json<Trend> {
    Json(trend(management.now(), 0))
}
"""

ENDPOINT_TEST = """both!(the_addition_is_shown, async |server: TestServer| {
    server.management().await.get("/api/dashboard/addition").await.expect(200);
});

"""

GRANT = """//! The grant of the addition: it gives what client credentials give.

use super::{GrantFailure, TokenRequest, client_credentials};
use claimsmith_services::tokens::{Decision, IssuedTokens};
use claimsmith_storage::Tx;

pub(super) async fn grant(request: TokenRequest<'_>, tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    client_credentials::grant(request, tx).await
}

/// The decision for a preview.
pub(super) async fn decide(request: TokenRequest<'_>, tx: Tx) -> Result<Decision, GrantFailure> {
    client_credentials::decide(request, tx).await
}
"""


def endpoint(add):
    # Its rights follow from its scope.
    add.leave(
        "tests/management/console_rights/table.rs", "tests/management/console_rights/guarded_groups.rs",
        "docs/openapi.json")
    folder = "src/management/dashboard"
    add.create(f"{folder}/addition.rs", ENDPOINT)
    add.after(f"{folder}/mod.rs", "mod activity;", "mod addition;\n")
    add.after(
        f"{folder}/mod.rs", "routes!(activity::", "        .routes(routes!(addition::show_addition))\n")
    add.before("tests/management/dashboard.rs", "both!(users_are_active_on_the_days_of_their_tokens", ENDPOINT_TEST)


def webhook_event(add):
    # No operation triggers it.
    add.leave("tests/management/events.rs", "docs/openapi.json")
    events = "src/domain/event.rs"
    add.after(
        events, 'GrantLimitExceeded = "', '    /// An addition was made.\n    AdditionMade = "Addition.Made",\n')
    add.after(events, "| Self::GrantLimitExceeded", "                | Self::AdditionMade\n")
    add.after(
        "src/services/webhooks/sample.rs", "EventType::OrganizationScopeDataUpdated =>",
        '        EventType::AdditionMade => of("POST", "/additions", 201, None),\n')


def audit_key(add):
    # Nothing writes it, so no test reads it.
    add.leave("src/services/unit_of_work.rs", "tests/management/logs.rs")
    add.before("src/domain/audit_key/table.rs", 'AdminInvite = "', '    AdditionMake = "Addition.Make",\n')
    page = "docs/audit-log-keys.md"
    add.before(page, "| `Admin` | commands", "| `Addition` | the additions |\n")
    add.before(page, "| `Admin` | `Invite`", "| `Addition` | `Make` |\n")


def error_code(add):
    add.leave("docs/openapi.json")
    add.before(
        "src/domain/api_code.rs", "    ApplicationInvalidRoleType =",
        '    AdditionRefused = 422, "addition.refused";\n')
    add.before(
        "src/web/error/api.rs", "/// 404: no entity of that id.",
        "    /// 422: the addition is refused.\n"
        "    #[must_use]\n"
        "    pub fn addition_refused() -> Self {\n"
        '        Self::new(ApiCode::AdditionRefused, "The addition is refused.")\n'
        "    }\n\n")


def grant_type(add):
    # The page has prose about each grant type.
    add.leave("docs/openid-connect.md")
    grants = "src/domain/grant/grant_type.rs"
    add.before(grants, "/// A token that an operator issued", "    /// The addition.\n    Addition,\n")
    add.lengthen(grants, "pub const SERVED: [Self; ")
    add.replace(grants, "[Self::AuthorizationCode, ", "[Self::", "[Self::Addition, Self::")
    add.before(
        grants, "            Self::Operator => {",
        "            Self::Addition => (\n"
        '                "urn:example:grant-type:addition",\n'
        '                "addition",\n'
        '                "addition",\n'
        "                AuditKey::ExchangeTokenByAddition,\n"
        "            ),\n")
    add.before(
        "src/domain/audit_key/table.rs", "ExchangeTokenByAuthorizationCode =",
        '    ExchangeTokenByAddition = "ExchangeTokenBy.Addition",\n')
    row = "| `ExchangeTokenBy` | `"
    add.replace("docs/audit-log-keys.md", row, row, "| `ExchangeTokenBy` | `Addition`, `")
    folder = "src/identity/grants"
    add.create(f"{folder}/addition.rs", GRANT)
    add.before(f"{folder}/mod.rs", "mod authorization_code;", "mod addition;\n")
    add.after(
        f"{folder}/mod.rs", "GrantType::DeviceCode => device_code::grant",
        "        GrantType::Addition => addition::grant(request, tx).await,\n")
    add.replace(f"{folder}/preview.rs", "GrantRefusal, RequestParameters, TokenRequest, ", "TokenRequest, ",
                "TokenRequest, addition, ")
    add.after(
        f"{folder}/preview.rs", "(GrantType::ClientCredentials, _) =>",
        "        (GrantType::Addition, _) => Ok(addition::decide(request, tx).await?),\n")
    activity = "src/services/activity.rs"
    add.lengthen(activity, "const KINDS: [")
    add.before(activity, '("tokens", "other"),', '    ("tokens", GrantType::Addition.chart()),\n')
