//! The demo application's webhook: a hook that is created at the first sign-in, as an operator would by `POST
//! /api/hooks`, and the receiver that verifies deliveries (`docs/webhooks.md`).

use super::WEBHOOK;
use super::guest::DemoGuest;
use super::memory::{Memory, ReceivedWebhook};
use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::id::HookId;
use claimsmith_pages::failure::PageError;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::signature;
use claimsmith_services::webhooks::signing_key::{self, HookSigningKey};
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Json, settings};
use serde_json::json;
use std::sync::Arc;

/// The setting with the id of the hook.
const HOOK: &str = "demo.hook";
/// Maximum bytes of a delivery.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum concurrent deliveries of the hook.
const CONCURRENCY: i64 = 4;

/// Creates the hook if it does not exist.
pub(super) async fn ensure(guest: &DemoGuest) -> Result<(), PageError> {
    let app = &guest.app;
    if find(app).await?.is_some() {
        return Ok(());
    }
    let id = HookId::from(app.random.id(21)?);
    let hook = Hook {
        name: "Demo application".to_owned(),
        events: Json(vec![EventPattern::All]),
        single_event: None,
        config: Json(json!({ "url": guest.at(WEBHOOK) })),
        signing_key: HookSigningKey::generate()?.encrypt(&app.cipher, &id)?,
        previous_keys: Json(Vec::new()),
        enabled: true,
        paused: false,
        ordered: false,
        max_in_flight: CONCURRENCY,
        rate_limit: None,
        failing_since: None,
        failures: 0,
        disabled_reason: None,
        created_at: guest.now(),
        id,
    };
    let mut work = UnitOfWork::begin(&app.db, Actor::Server, guest.origin.clone(), guest.now()).await?;
    hooks::insert(&mut work, &hook).await?;
    settings::put(&mut work, HOOK, &hook.id).await?;
    work.audit(AuditKey::ServerHookCreate, json!({ "hookId": hook.id })).await?;
    work.commit().await?;
    Ok(())
}

async fn find(app: &App) -> Result<Option<Hook>, PageError> {
    let mut tx = app.db.read().await?;
    Ok(match settings::get(&mut tx, HOOK).await? {
        Some(id) => hooks::find(&mut tx, &id.into()).await?,
        None => None,
    })
}

/// Receives a delivery.
pub(super) async fn receive(
    State(app): State<App>,
    Extension(memory): Extension<Arc<Memory>>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, PageError> {
    let Ok(bytes) = to_bytes(body, MAX_BYTES).await else { return Ok(StatusCode::PAYLOAD_TOO_LARGE) };
    let Some(hook) = find(&app).await? else { return Ok(StatusCode::GONE) };
    let now = app.clock.now_ms();
    let keys = signing_key::valid(&app.cipher, &hook, now)?;
    let one = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !signature::verify(&keys, one, &bytes, now) {
        return Ok(StatusCode::UNAUTHORIZED);
    }
    let Ok(body) = json::read(&bytes, INCOMING) else { return Ok(StatusCode::BAD_REQUEST) };
    memory.receive(ReceivedWebhook { at: now, id: one("webhook-id").to_owned(), body });
    Ok(StatusCode::NO_CONTENT)
}
