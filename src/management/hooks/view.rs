//! How a hook is shown.

use claimsmith_domain::documents::hidden::HIDDEN;
use claimsmith_domain::documents::hook::HookConfig;
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::management::HooksWrite;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_services::webhooks::signing_key;
use claimsmith_storage::hooks::Hook;
use claimsmith_storage::hooks::statistics::HookStatistics;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use serde::Serialize;
use serde_json::Value;
use url::Url;

/// A hook.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "y5u0i3o8p1l6k9j4h7g2f", "name": "Sync", "event": null, "events": ["User.Created"],
    "config": {
        "url": "https://hooks.example.com/claimsmith", "headers": { "x-source": "claimsmith" }, "retries": 3
    },
    "signingKey": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ",
    "signingSecret": "whsec_NGtUcThaYlcybVhyN05jVjFzWWQ2THBHOWhKZjNSYVE=",
    "publicKey": "whpk_0QFfVkkS4PE8b4ExYL2G2YSVUgvOL2jbGb1yLmd2E9k=",
    "enabled": true, "disabledReason": null, "failingSince": null, "paused": false, "ordered": false,
    "maxConcurrency": 10, "rateLimit": null, "createdAt": 1_760_000_000_000_i64
}))]
pub(super) struct HookView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    name: String,
    /// Always null; `events` says it.
    event: Option<EventType>,
    /// What it is told of.
    events: Vec<EventPattern>,
    /// Where deliveries go. For a caller without `hooks:write` the values of headers, and a password in the URL, are
    /// `********`.
    #[schema(value_type = HookConfig)]
    config: Value,
    /// The key of `logto-signature-sha-256`; `********` for a caller without `hooks:write`.
    signing_key: String,
    /// The same key as Standard Webhooks writes it, for signatures `v1`; hidden likewise.
    signing_secret: String,
    /// The key that verifies signatures `v1a`.
    public_key: Option<String>,
    /// Whether it is told at all.
    enabled: bool,
    /// Why the server disabled it: `gone`, since the receiver said so with status 410, or `failing`, for five days.
    disabled_reason: Option<String>,
    /// The first failure since the last success, Unix milliseconds.
    failing_since: Option<i64>,
    /// Whether deliveries wait.
    paused: bool,
    /// Whether events about one thing are told one after the other.
    ordered: bool,
    /// Deliveries at a time.
    max_concurrency: i64,
    /// Deliveries a second.
    rate_limit: Option<i64>,
    /// Unix milliseconds.
    created_at: i64,
    /// What its deliveries came to in the last 24 hours, when the request asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    execution_stats: Option<ExecutionStats>,
}

/// What deliveries came to.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExecutionStats {
    /// Attempts that succeeded.
    success_count: i64,
    /// Attempts.
    request_count: i64,
}

/// A configuration with `********` for header values and for a password in the URL.
fn without_secrets(mut config: Value) -> Value {
    if let Some(headers) = config.get_mut("headers").and_then(Value::as_object_mut) {
        headers.values_mut().for_each(|value| *value = HIDDEN.into());
    }
    let url = config.get("url").and_then(Value::as_str).and_then(|url| Url::parse(url).ok());
    if let Some(mut url) = url.filter(|url| url.password().is_some())
        && url.set_password(Some(HIDDEN)).is_ok()
    {
        config["url"] = url.as_str().into();
    }
    config
}

impl HookView {
    pub(super) fn of(management: &Caller, hook: Hook) -> Result<Self, ApiError> {
        let key = signing_key::current(&management.app.cipher, &hook)?;
        // Callers who cannot change hooks need no secrets: with them they could impersonate this server, or the
        // operator at the receiver.
        let may_write = management.holds::<HooksWrite>();
        let shown = |secret: String| if may_write { secret } else { HIDDEN.to_owned() };
        let config = if may_write { hook.config.0 } else { without_secrets(hook.config.0) };
        Ok(Self {
            signing_key: shown(key.text().to_owned()),
            signing_secret: shown(key.secret()),
            public_key: key.public_key(),
            tenant_id: TENANT,
            id: hook.id.into(),
            name: hook.name,
            event: None,
            events: hook.events.0,
            config,
            enabled: hook.enabled,
            disabled_reason: hook.disabled_reason,
            failing_since: hook.failing_since,
            paused: hook.paused,
            ordered: hook.ordered,
            max_concurrency: hook.max_in_flight,
            rate_limit: hook.rate_limit,
            created_at: hook.created_at,
            execution_stats: None,
        })
    }

    pub(super) fn with(self, statistics: Option<HookStatistics>) -> Self {
        let stats = |of: HookStatistics| ExecutionStats { success_count: of.successes, request_count: of.requests };
        Self { execution_stats: statistics.map(stats), ..self }
    }
}
