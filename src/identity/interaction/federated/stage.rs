//! Stages what an upstream account adds to a user: the link, and for a new user a verified email address that is not
//! taken.

use super::domains;
use super::owner::{linked_to, of_address};
use crate::accounts;
use crate::accounts::ExternalIdentity;
use crate::interaction::administrators::{administers, takes_administrators};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{Method, Progress, StagedProfile};
use claimsmith_domain::sign_in_experience::mandatory::{self, Had, Missing};
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_storage as storage;
use claimsmith_storage::connectors::sso_connectors::DOMAINS;
use claimsmith_storage::users::{self, User, sso_identities};
use serde_json::json;

/// Stages an account for a new user.
pub(crate) async fn for_new(
    current: &mut CurrentInteraction,
    settings: &SignInExperience,
    method: &Method,
) -> Result<(), InteractionRefusal> {
    let (kind, federated) = method.federated().ok_or(InteractionRefusal::NotVerified)?;
    let account = federated.account.clone().ok_or(InteractionRefusal::NotVerified)?;
    check_allowed(settings, kind, federated)?;
    let mut tx = current.app.db.read().await?;
    if linked_to(&mut tx, kind, federated).await?.is_some() {
        return Err(InteractionRefusal::IdentityTaken);
    }
    let mut free = None;
    if let Some(email) = account.verified_email() {
        let identifier = Identifier { kind: IdentifierType::Email, value: email.to_owned() }.stored();
        let checked = check_address(current, &mut tx, settings, (federated, email)).await;
        // Where the address is mandatory, the user learns why it is refused, not only that one is missing.
        let had = Had { username: true, email: false, phone: true, password: true };
        let is_needed = kind == ConnectorKind::Social
            && current.progress.profile.primary_email.is_none()
            && settings.social_sign_in.skip_required_identifiers != Some(true)
            && mandatory::missing(&settings.sign_up, had).contains(&Missing::Email);
        let is_accepted = match checked {
            Ok(()) => true,
            Err(InteractionRefusal::BlockedEmail(_) | InteractionRefusal::SsoEnabled(_)) if !is_needed => false,
            Err(refusal) => return Err(refusal),
        };
        if let Some(identifier) = identifier.filter(|_| is_accepted)
            && !accounts::is_taken(&mut tx, &identifier).await?
        {
            free = Some(identifier.value);
        }
    }
    stage(&mut current.progress.profile, kind, federated);
    let staged = &mut current.progress.profile.primary_email;
    *staged = staged.take().or(free);
    Ok(())
}

/// Refuses a verified address that a new user may not have: a blocked one, or one of an enterprise domain, whose
/// addresses only come from its connector.
async fn check_address(
    current: &CurrentInteraction,
    tx: &mut storage::Tx,
    settings: &SignInExperience,
    (federated, email): (&Federated, &str),
) -> Result<(), InteractionRefusal> {
    let disposable = &current.app.disposable_domains;
    settings.email_blocklist_policy.check(email, disposable).map_err(InteractionRefusal::BlockedEmail)?;
    if federated.owns_address {
        return Ok(());
    }
    domains::refuse_owned(&current.app, tx, settings, email).await
}

/// Stages the account for a user who was found by the domain of their email address and has not linked it yet.
pub(crate) async fn for_found(
    current: &mut CurrentInteraction,
    method: &Method,
    user: &User,
) -> Result<(), InteractionRefusal> {
    let Some((kind, federated)) = method.federated() else { return Ok(()) };
    if linked_to(&mut current.app.db.read().await?, kind, federated).await?.is_none_or(|owner| owner != user.id) {
        stage(&mut current.progress.profile, kind, federated);
    }
    Ok(())
}

/// Stages the account of a social connector for the user of the interaction, at their request.
pub async fn add_social(current: &mut CurrentInteraction, verification_id: &str) -> Result<(), InteractionRefusal> {
    let outcome = stage_social(current, verification_id).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn stage_social(current: &mut CurrentInteraction, verification_id: &str) -> Result<(), InteractionRefusal> {
    current.event()?;
    if current.progress.authenticated {
        return Err(InteractionRefusal::WrongEvent);
    }
    let user_id = current.progress.user_id.clone().ok_or(InteractionRefusal::NotIdentified)?;
    let method =
        current.progress.verification(verification_id).ok_or(InteractionRefusal::UnknownVerification)?.method.clone();
    let Method::Social(federated) = &method else { return Err(InteractionRefusal::NotVerified) };
    if federated.account.is_none() {
        return Err(InteractionRefusal::NotVerified);
    }
    check_allowed(&current.settings().await?, ConnectorKind::Social, federated)?;
    check_free(current, &user_id, federated).await?;
    let details = json!({ "type": "social", "verificationId": verification_id });
    let mut work = current.begin().await?;
    stage(&mut current.progress.profile, ConnectorKind::Social, federated);
    current.save(&mut work, InteractionStep::Profile, details).await?;
    Ok(work.commit().await?)
}

/// Refuses an account of another user, a second one of the same target, and administrators.
pub(crate) async fn check_free(
    current: &CurrentInteraction,
    user_id: &UserId,
    federated: &Federated,
) -> Result<(), InteractionRefusal> {
    let mut tx = current.app.db.read().await?;
    let user = users::find(&mut tx, user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    if administers(&current.app, &mut tx, user_id).await? {
        return Err(InteractionRefusal::Administrator);
    }
    let has_one = user.identities.get(&federated.realm).is_some();
    if has_one || linked_to(&mut tx, ConnectorKind::Social, federated).await?.is_some() {
        return Err(InteractionRefusal::IdentityTaken);
    }
    Ok(())
}

/// Refuses an account at a connector that the settings no longer enable.
pub(crate) fn check_allowed(
    settings: &SignInExperience,
    kind: ConnectorKind,
    federated: &Federated,
) -> Result<(), InteractionRefusal> {
    let is_allowed = match kind {
        ConnectorKind::Social => settings.signs_in_at(&federated.realm),
        ConnectorKind::Enterprise => settings.single_sign_on_enabled,
    };
    if is_allowed { Ok(()) } else { Err(InteractionRefusal::MethodDisabled) }
}

/// Stages an account for the user.
pub(crate) fn stage(profile: &mut StagedProfile, kind: ConnectorKind, federated: &Federated) {
    let kept = Some(Federated { pending: None, user_id: None, ..federated.clone() });
    match kind {
        ConnectorKind::Social => profile.social = kept,
        ConnectorKind::Enterprise => profile.enterprise = kept,
    }
}

/// Name and picture of the staged account, for a new user.
pub(crate) fn looks(profile: &StagedProfile) -> (Option<String>, Option<String>) {
    let accounts: Vec<_> =
        [&profile.enterprise, &profile.social].into_iter().flatten().filter_map(|one| one.account.as_ref()).collect();
    let name = accounts.iter().find_map(|account| account.name.clone());
    (name, accounts.iter().find_map(|account| account.avatar.clone()))
}

/// Name and picture of the account by which the user signed in, if profile sync is enabled and they have changed.
pub(crate) fn followed(progress: &Progress, user: &User) -> (Option<String>, Option<String>) {
    let found = [ConnectorKind::Enterprise, ConnectorKind::Social]
        .into_iter()
        .find_map(|kind| progress.federated_of(kind, &user.id));
    let Some(account) = found.filter(|federated| federated.sync_profile).and_then(|one| one.account.as_ref()) else {
        return (None, None);
    };
    let name = account.name.clone().filter(|name| user.name.as_ref() != Some(name));
    (name, account.avatar.clone().filter(|avatar| user.avatar.as_ref() != Some(avatar)))
}

/// The staged accounts, in the form to link.
pub(crate) fn identities(profile: &StagedProfile) -> Vec<ExternalIdentity> {
    let social = profile
        .social
        .clone()
        .and_then(|social| Some(ExternalIdentity::Social { target: social.realm, account: social.account? }));
    let enterprise = profile.enterprise.clone().and_then(|enterprise| {
        let (connector_id, issuer, by_owner) = (enterprise.connector_id.into(), enterprise.realm, enterprise.by_owner);
        Some(ExternalIdentity::Enterprise { connector_id, issuer, account: enterprise.account?, by_owner })
    });
    social.into_iter().chain(enterprise).collect()
}

/// Updates the stored details of an account at an enterprise connector. The caller increments the user's revision.
pub(crate) async fn renew(
    tx: &mut storage::Tx,
    progress: &Progress,
    user_id: &UserId,
    now: i64,
) -> Result<(), InteractionRefusal> {
    let Some(federated) = progress.federated_of(ConnectorKind::Enterprise, user_id) else { return Ok(()) };
    let Some(account) = &federated.account else { return Ok(()) };
    let connector_id = federated.connector_id.as_str().into();
    if let Some(known) = sso_identities::owner(tx, &connector_id, &federated.realm, &account.id).await? {
        let detail = storage::Json(serde_json::to_value(account)?);
        sso_identities::update_detail(tx, &known.id, &detail, now).await?;
    }
    Ok(())
}

/// Refuses accounts that identified the user but are no longer linked to them, and staged accounts that may no longer
/// be linked.
pub(crate) async fn check_linked(
    tx: &mut storage::Tx,
    current: &CurrentInteraction,
    user_id: &UserId,
) -> Result<(), InteractionRefusal> {
    let profile = &current.progress.profile;
    for (kind, staged) in [(ConnectorKind::Social, &profile.social), (ConnectorKind::Enterprise, &profile.enterprise)] {
        for one in current.progress.federated_of(kind, user_id).into_iter().chain(staged) {
            match linked_to(tx, kind, one).await? {
                Some(owner) if owner == *user_id => {}
                Some(_) if one.user_id.is_none() => return Err(InteractionRefusal::IdentityTaken),
                Some(_) => return Err(InteractionRefusal::NotVerified),
                None if !staged.as_ref().is_some_and(|staged| staged.is_same(one)) => {
                    return Err(InteractionRefusal::NotVerified);
                }
                None => check_linkable(tx, current, user_id, (kind, one)).await?,
            }
        }
    }
    Ok(())
}

/// Refuses an unlinked account, unless the conditions to link it to the user are still met.
async fn check_linkable(
    tx: &mut storage::Tx,
    current: &CurrentInteraction,
    user_id: &UserId,
    (kind, federated): (ConnectorKind, &Federated),
) -> Result<(), InteractionRefusal> {
    let is_fine = match kind {
        ConnectorKind::Enterprise if federated.by_owner => {
            takes_administrators(tx, &SsoConnectorId::from(federated.connector_id.as_str())).await?
        }
        // An account that identified the user was linked then and has been unlinked since: it is not linked again.
        ConnectorKind::Social => federated.user_id.is_none() && !administers(&current.app, tx, user_id).await?,
        ConnectorKind::Enterprise => is_of_company(tx, current, user_id, federated).await?,
    };
    if is_fine { Ok(()) } else { Err(InteractionRefusal::NotVerified) }
}

/// Whether the user still has the verified address of an account, whose domain its connector still owns.
async fn is_of_company(
    tx: &mut storage::Tx,
    current: &CurrentInteraction,
    user_id: &UserId,
    federated: &Federated,
) -> Result<bool, InteractionRefusal> {
    let email = federated.account.as_ref().and_then(ExternalAccount::verified_email);
    let Some((email, (_, domain))) = email.and_then(|email| Some((email, email.rsplit_once('@')?))) else {
        return Ok(false);
    };
    let connector_id = SsoConnectorId::from(federated.connector_id.as_str());
    if !federated.owns_address || !DOMAINS.of(tx, &connector_id).await?.contains(&fold(domain)) {
        return Ok(false);
    }
    Ok(of_address(&current.app, tx, email).await?.is_some_and(|user| user.id == *user_id))
}
