//! Trusted devices: after proving a second factor, a user can mark the browser as trusted, and is not asked for a
//! second factor in it for a while, if the settings allow it (`docs/decisions/trusted-devices.md`).

use super::current::CurrentInteraction;
use super::factors::holder::of_interaction;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use crate::accounts::end_trusted_devices;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * 3_600_000;
/// Maximum lifetime of a trusted device: a year.
pub const MAX_LIFETIME_MS: i64 = 365 * DAY_MS;
/// Maximum trusted devices per user; the least recently used one is removed.
const MAX_DEVICES: i64 = 20;

/// A newly trusted device.
pub(super) struct NewTrustedDevice {
    /// Its id.
    pub id: TrustedDeviceId,
    /// The value of its cookie.
    pub cookie: String,
}

/// The offer to trust the browser, after a second factor.
pub struct Offer {
    /// Whether the browser can be trusted now.
    pub can_create: bool,
    /// The number of days.
    pub days: u32,
}

/// Marks the browser to be trusted once the interaction is submitted.
pub async fn trust(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let outcome = choose(current).await;
    current.note(InteractionStep::TrustDevice, outcome)
}

async fn choose(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let holder = of_interaction(current).await?;
    if holder.settings.trusted_device.days().is_none() {
        return Err(InteractionRefusal::Closed);
    }
    if holder.trusted_days(&current.progress).is_none() {
        return Err(InteractionRefusal::NotVerified);
    }
    let mut work = current.begin().await?;
    current.progress.trust_device = true;
    current.save(&mut work, InteractionStep::TrustDevice, json!({})).await?;
    Ok(work.commit().await?)
}

/// The offer to trust this browser; `None` if the settings disable trusted devices.
pub async fn offer(current: &CurrentInteraction) -> Result<Option<Offer>, InteractionRefusal> {
    let Some(days) = current.settings().await?.trusted_device.days() else { return Ok(None) };
    let can_create = match of_interaction(current).await {
        Ok(holder) => holder.trusted_days(&current.progress).is_some(),
        Err(InteractionRefusal::Failed(error)) => return Err(InteractionRefusal::Failed(error)),
        Err(_) => false,
    };
    Ok(Some(Offer { can_create, days }))
}

/// Trusts the browser for this many days. It gets a new cookie; a previous one, which may have been planted or
/// observed, becomes invalid.
pub(super) async fn remember(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user_id: &UserId,
    event: InteractionEvent,
    days: u32,
) -> Result<NewTrustedDevice, InteractionRefusal> {
    let (random, origin, now) = (&current.app.random, &current.browser.origin, work.now());
    let (id, cookie) = (TrustedDeviceId::from(random.id(21)?), random.secret(43)?);
    let hash = tokens::hash(&cookie);
    if let Some(old) = &current.browser.trusted_hash {
        trusted_devices::rename(work, old, &hash).await?;
    }
    let device = TrustedDevice {
        id: id.clone(),
        user_id: user_id.clone(),
        hash,
        user_agent: origin.user_agent.clone(),
        ip: origin.ip.map(|ip| ip.to_string()),
        created_at: now,
        last_used_at: now,
        expires_at: now + i64::from(days) * DAY_MS,
    };
    trusted_devices::put(work, &device).await?;
    end_trusted_devices(work, user_id, MAX_DEVICES).await?;
    let about = current.happening(event, user_id, Value::Null);
    let told = Event::during(EventType::TrustedDeviceCreated, about);
    work.emit(&told.of("userId", user_id).of("trustedDeviceId", &id)).await?;
    work.audit(AuditKey::InteractionTrustedDeviceCreate, json!({ "userId": user_id, "trustedDeviceId": id })).await?;
    Ok(NewTrustedDevice { id, cookie })
}

/// Records that the trusted device replaced a second factor.
pub(super) async fn used(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    id: &TrustedDeviceId,
) -> Result<(), InteractionRefusal> {
    let (ip, now) = (current.browser.origin.ip.map(|ip| ip.to_string()), work.now());
    // A trusted device that was removed in the meantime proves nothing.
    if trusted_devices::used(work, id, ip.as_deref(), now).await? {
        Ok(())
    } else {
        Err(InteractionRefusal::Superseded)
    }
}
