//! Second factors by risk: rates a sign-in by what is known of its user, reports an unusual one, and remembers where
//! users sign in (`docs/decisions/adaptive-mfa.md`). Places are stored as keyed hashes only.

use super::current::CurrentInteraction;
use super::factors::holder::of_interaction;
use super::refusal::InteractionRefusal;
use crate::accounts::user_fields;
use claimsmith_domain::adaptive_mfa::{self, MAX_PLACES, PlaceKind, SignInFacts, TriggeredRule, WINDOW_MS};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::client_address::provider;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_services::encryption::Purpose;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::{known_browsers, sign_in_places};
use claimsmith_storage::users::User;
use serde_json::json;

/// The rules that this sign-in of a user meets.
pub(super) async fn rate(
    current: &CurrentInteraction,
    tx: &mut Tx,
    user: &User,
) -> Result<Vec<TriggeredRule>, InteractionRefusal> {
    let now = current.app.clock.now_ms();
    let is_known_browser = match &current.browser.known_hash {
        Some(hash) => known_browsers::is_known(tx, hash, &user.id, now).await?,
        None => false,
    };
    let mut facts = SignInFacts {
        now,
        last_sign_in_at: user.last_sign_in_at,
        is_known_browser,
        is_new_network: false,
        new_country: None,
    };
    for (kind, place) in places(current) {
        let known = sign_in_places::of_user(tx, &user.id, kind, now - WINDOW_MS).await?;
        let (cipher, user_id, name) = (&current.app.cipher, user.id.as_str(), named(kind, &place));
        let hash = cipher.digest(Purpose::SignInPlace, user_id, &name)?;
        let mut earlier = cipher.earlier_digests(Purpose::SignInPlace, user_id, &name);
        let is_known = known.contains(&hash) || earlier.any(|hash| known.contains(&hash));
        drop(earlier);
        // Without any known place, there is nothing to compare with.
        if is_known || known.is_empty() {
            continue;
        }
        match kind {
            PlaceKind::Network => facts.is_new_network = true,
            PlaceKind::Country => facts.new_country = Some(place),
        }
    }
    Ok(adaptive_mfa::triggered(&facts))
}

/// Remembers where the user signed in.
pub(super) async fn remember(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user_id: &UserId,
) -> Result<(), InteractionRefusal> {
    let now = work.now();
    for (kind, place) in places(current) {
        let hash = current.app.cipher.digest(Purpose::SignInPlace, user_id.as_str(), &named(kind, &place))?;
        sign_in_places::remember(work, user_id, (kind, &hash), now, MAX_PLACES).await?;
    }
    Ok(())
}

/// Reports a sign-in that was refused because it is unusual and needs a second factor, once per interaction.
pub(super) async fn report(refused: &CurrentInteraction) -> Result<(), InteractionRefusal> {
    // Loaded again: what the refused submission wrote was taken back.
    let mut current = CurrentInteraction::load(&refused.app, refused.browser.clone()).await?;
    if current.progress.reported_as_unusual {
        return Ok(());
    }
    let holder = of_interaction(&current).await?;
    let Some(rules) = holder.triggered.as_ref().filter(|rules| !rules.is_empty()) else { return Ok(()) };
    let result = json!({ "requiresMfa": true, "triggeredRules": rules });
    let user_id = holder.user.id.clone();
    let shown = serde_json::to_value(user_fields(holder.user.clone()))?;
    let mut work = current.begin().await?;
    let about = current.happening(holder.event, &user_id, shown);
    let event = Event::during(EventType::PostSignInAdaptiveMfaTriggered, about);
    work.emit(&event.with("adaptiveMfaResult", result)).await?;
    let details = json!({ "interactionId": current.id(), "userId": user_id, "triggeredRules": rules });
    work.audit(AuditKey::InteractionAdaptiveMfaTrigger, details).await?;
    current.progress.reported_as_unusual = true;
    current.keep(&mut work).await?;
    Ok(work.commit().await?)
}

/// Where the request comes from.
fn places(current: &CurrentInteraction) -> Vec<(PlaceKind, String)> {
    let origin = &current.browser.origin;
    let network = origin.ip.map(|address| (PlaceKind::Network, provider(address)));
    let country = origin.country.clone().map(|country| (PlaceKind::Country, country));
    network.into_iter().chain(country).collect()
}

fn named(kind: PlaceKind, place: &str) -> String {
    format!("{}:{place}", kind.as_str())
}
