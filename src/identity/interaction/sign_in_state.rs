//! Whether a user can sign in, and what stands in the way: for those who help users.

use super::administrators::{administers, takes_administrators};
use super::attempts::{factor_hash, hash, limit_of};
use crate::accounts::sign_in_means;
use claimsmith_domain::console::sign_in as of_administrators;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::lockout::Limit;
use claimsmith_services::app::App;
use claimsmith_storage::sessions::attempts;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::{User, sso_identities};
use claimsmith_storage::{self as storage, Tx};

/// Whether a user can sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignInState {
    /// What stands in the way, the most important first; empty if nothing does.
    pub obstacles: Vec<Obstacle>,
    /// Whether the user has rights on this server, so that only administrators may change the account.
    pub administers: bool,
}

/// What keeps a user from signing in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The user is suspended.
    Suspended,
    /// The settings allow none of the ways that the user has.
    NoWay {
        /// What the user lacks: `password`, `identifier`.
        missing: Vec<&'static str>,
    },
    /// An identifier of the user is locked. Browsers in which they have signed in before are not.
    Locked {
        /// The identifier.
        identifier: String,
        /// The failed attempts after which it was locked.
        failures: i64,
        /// The end of the lockout, Unix milliseconds.
        until: i64,
    },
    /// A second factor is locked, except in browsers in which the user has signed in before.
    FactorLocked {
        /// The kind of factor.
        factor: FactorType,
        /// The failed attempts after which it was locked.
        failures: i64,
        /// The end of the lockout, Unix milliseconds.
        until: i64,
    },
}

/// The state of a user at this moment.
pub async fn sign_in_state(app: &App, tx: &mut Tx, user: &User, now: i64) -> storage::Result<SignInState> {
    let administers = administers(app, tx, &user.id).await?;
    let stored = EXPERIENCE.find(tx).await?;
    let settings = if administers {
        let has_company = has_company_of_administrators(tx, &user.id).await?;
        of_administrators::settings(stored, has_company)
    } else {
        stored
    };
    let mut obstacles = Vec::new();
    if user.is_suspended {
        obstacles.push(Obstacle::Suspended);
    }
    let means = sign_in_means(tx, user, &settings).await?;
    if !means.opens(&settings) {
        let missing = [("identifier", means.is_named()), ("password", means.password)];
        let missing = missing.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect();
        obstacles.push(Obstacle::NoWay { missing });
    }
    let limit = limit_of(&settings.sentinel_policy);
    for identifier in identifiers(user) {
        if let Some((failures, until)) = lockout(tx, &hash(&identifier), limit, now).await? {
            obstacles.push(Obstacle::Locked { identifier: identifier.value, failures, until });
        }
    }
    for factor in FactorType::ALL {
        if let Some((failures, until)) = lockout(tx, &factor_hash(factor, &user.id, false), limit, now).await? {
            obstacles.push(Obstacle::FactorLocked { factor, failures, until });
        }
    }
    Ok(SignInState { obstacles, administers })
}

/// Whether an administrator has an account that they linked themselves, at an enterprise connector for administrators.
async fn has_company_of_administrators(tx: &mut Tx, id: &UserId) -> storage::Result<bool> {
    for identity in sso_identities::of_user(tx, id).await? {
        if identity.linked_by_owner && takes_administrators(tx, &identity.sso_connector_id).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn identifiers(user: &User) -> impl Iterator<Item = Identifier> {
    let known = [
        (IdentifierType::Username, &user.username),
        (IdentifierType::Email, &user.primary_email),
        (IdentifierType::Phone, &user.primary_phone),
    ];
    known.into_iter().filter_map(|(kind, value)| Some(Identifier { kind, value: value.clone()? }))
}

/// The failures after which a counter is locked, and the end of the lockout.
async fn lockout(tx: &mut Tx, hash: &str, limit: Limit, now: i64) -> storage::Result<Option<(i64, i64)>> {
    let failed = attempts::find(tx, hash).await?;
    // Attempts that are refused during a lockout are counted as well.
    Ok((failed.now(now) >= limit.failures).then_some((limit.failures, failed.expires_at)))
}
