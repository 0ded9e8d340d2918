//! Where users sign in: rates a sign-in by the browsers, networks and countries that are known of its user, and remembers
//! them (`docs/decisions/adaptive-mfa.md`). Networks and countries are stored as keyed hashes only.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use claimsmith_domain::adaptive_mfa::{self, MAX_PLACES, PlaceKind, SignInFacts, TriggeredRule, WINDOW_MS};
use claimsmith_domain::client_address::provider;
use claimsmith_domain::id::UserId;
use claimsmith_services::encryption::Purpose;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::{known_browsers, sign_in_places};
use claimsmith_storage::users::User;

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
