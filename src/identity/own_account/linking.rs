//! Linking of accounts at social and enterprise connectors to one's own account, by a sign-in there. What is particular
//! to enterprise connectors is in [`super::company`].

use super::company;
use super::owner::{Owner, OwnerAccess};
use super::records;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::accounts::{ExternalIdentity, begin_update, link_identity, unlink_identity};
use crate::interaction::administrators::administers;
use crate::interaction::client_settings;
use crate::interaction::federated::connector::{self, Connector};
use crate::interaction::federated::parameters::{Callback, SignInParameters};
use crate::interaction::federated::upstream_sign_in::{
    EncryptedRow, comes_back, depart, is_for_connector, receive, recognize,
};
use crate::interaction::federated::verify::PAUSE_MS;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::{SsoConnectorId, VerificationRecordId};
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_domain::verification_record::{RecordDetails, RecordType};
use claimsmith_services::encryption::Purpose;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::verification::verification_records::{self, VerificationRecord};
use claimsmith_storage::{Tx, applications};
use serde_json::json;

/// A started sign-in at an upstream.
pub struct BegunLink {
    /// The verification record that it proves.
    pub record: VerificationRecord,
    /// The authorization URL for the browser.
    pub authorization_uri: String,
}

/// Whether an account replaces an existing one of the same connector.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// It is refused if there is one.
    Beside,
    /// It replaces it.
    Instead,
}

/// The record type of a kind of connector.
fn record_kind(kind: ConnectorKind) -> RecordType {
    match kind {
        ConnectorKind::Social => RecordType::Social,
        ConnectorKind::Enterprise => RecordType::EnterpriseSso,
    }
}

/// The audit key of a started sign-in.
fn created(kind: ConnectorKind) -> AuditKey {
    match kind {
        ConnectorKind::Social => AuditKey::AccountVerificationSocialCreate,
        ConnectorKind::Enterprise => AuditKey::AccountVerificationEnterpriseSsoCreate,
    }
}

/// The audit key of a callback.
fn submitted(kind: ConnectorKind) -> AuditKey {
    match kind {
        ConnectorKind::Social => AuditKey::AccountVerificationSocialSubmit,
        ConnectorKind::Enterprise => AuditKey::AccountVerificationEnterpriseSsoSubmit,
    }
}

/// Begins a sign-in at a connector.
pub async fn begin(
    owner: &Owner,
    kind: ConnectorKind,
    parameters: &SignInParameters<'_>,
) -> Result<BegunLink, OwnAccountRefusal> {
    let outcome = send(owner, kind, parameters).await;
    owner.note(created(kind), outcome)
}

async fn send(
    owner: &Owner,
    kind: ConnectorKind,
    parameters: &SignInParameters<'_>,
) -> Result<BegunLink, OwnAccountRefusal> {
    if parameters.state.is_empty() || parameters.redirect_uri.is_empty() {
        return Err(InteractionRefusal::InsufficientInfo.into());
    }
    let app = &owner.app;
    let mut tx = owner.read().await?;
    owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    check_edited(&mut tx, &[Field::Social]).await?;
    if !may_come_back(owner, &mut tx, parameters).await? {
        return Err(InteractionRefusal::RedirectUri.into());
    }
    let connector = connector(owner, &mut tx, kind, parameters.connector_id).await?;
    drop(tx);
    let id = VerificationRecordId::from(app.random.id(21)?);
    let (federated, authorization_uri) =
        depart(app, connector, parameters, EncryptedRow { purpose: Purpose::VerificationRecord, name: &id }).await?;
    let details = RecordDetails { federated: Some(federated), ..RecordDetails::default() };
    let record = records::begun(owner, id, record_kind(kind), details);
    let (mut work, _) = owner.begin().await?;
    verification_records::insert(&mut work, &record).await?;
    audit(owner, &mut work, created(kind), &record).await?;
    work.commit().await?;
    Ok(BegunLink { record, authorization_uri })
}

/// The connector, if the owner may link an account at it now.
async fn connector(owner: &Owner, tx: &mut Tx, kind: ConnectorKind, id: &str) -> Result<Connector, OwnAccountRefusal> {
    let settings = match kind {
        ConnectorKind::Social => EXPERIENCE.find(tx).await?,
        ConnectorKind::Enterprise => {
            company::check_offered(owner, tx, &id.into()).await?;
            client_settings::of_own_clients(tx).await?
        }
    };
    Ok(connector::find(&owner.app, tx, &settings, kind, id).await?)
}

/// Whether the redirect URI is at this server, or registered for the application, and in either case for this connector
/// only, so that another upstream cannot pass its own responses off as this one's (RFC 9700 section 4.4.2.2).
async fn may_come_back(
    owner: &Owner,
    tx: &mut Tx,
    parameters: &SignInParameters<'_>,
) -> Result<bool, OwnAccountRefusal> {
    if comes_back(owner.app.config.server.base_url.as_str(), parameters) {
        return Ok(true);
    }
    let OwnerAccess::Token(token) = &owner.way else { return Ok(false) };
    let application = applications::find(tx, &token.application_id).await?;
    let is_registered = application.is_some_and(|application| {
        application.oidc_client_metadata.0.redirect_uris.iter().any(|uri| uri == parameters.redirect_uri)
    });
    Ok(is_registered && is_for_connector(parameters))
}

/// The record that waits for this callback, of an owner who returns to the page.
pub async fn awaited(
    owner: &Owner,
    kind: ConnectorKind,
    connector_id: &str,
    callback: &Callback,
) -> Result<String, OwnAccountRefusal> {
    let OwnerAccess::Page { session, .. } = &owner.way else { return Err(OwnAccountRefusal::UnknownRecord) };
    let live = verification_records::live_of_session(&mut owner.read().await?, &session.id, owner.now()).await?;
    let mut refusal = InteractionRefusal::NotAwaited(kind);
    for record in live.into_iter().filter(|record| record.kind == record_kind(kind)) {
        let Some(waiting) = record.details.0.federated.filter(|one| one.connector_id == connector_id) else {
            continue;
        };
        match recognize(&owner.app, kind, &waiting, callback) {
            Ok(_) => return Ok(record.id.into()),
            Err(InteractionRefusal::StateMismatch) => refusal = InteractionRefusal::StateMismatch,
            Err(_) => {}
        }
    }
    Err(refusal.into())
}

/// Verifies the callback for the record with this id. The state is used up, whatever the result.
pub async fn verify(
    owner: &Owner,
    kind: ConnectorKind,
    id: &str,
    callback: &Callback,
) -> Result<(), OwnAccountRefusal> {
    let outcome = take(owner, kind, id, callback).await;
    owner.note(submitted(kind), outcome)
}

async fn take(owner: &Owner, kind: ConnectorKind, id: &str, callback: &Callback) -> Result<(), OwnAccountRefusal> {
    let app = &owner.app;
    if !app.sign_in_attempts.admits(owner.origin.ip, owner.now()) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS).into());
    }
    let mut tx = owner.read().await?;
    owner.check_administers(&mut tx).await?;
    let record = records::pending(owner, &mut tx, id, &[record_kind(kind)]).await?;
    let waiting = record.details.0.federated.clone().ok_or(OwnAccountRefusal::UnknownRecord)?;
    let pending = recognize(app, kind, &waiting, callback)?;
    let connector = connector(owner, &mut tx, kind, &waiting.connector_id).await?;
    drop(tx);
    use_up(owner, kind, id, &waiting).await?;
    let row = EncryptedRow { purpose: Purpose::VerificationRecord, name: &record.id };
    let received = receive(app, (kind, &connector), (&waiting, &pending), callback, row).await?;
    let (mut work, _) = owner.begin().await?;
    let mut record = records::pending(owner, &mut work, id, &[record_kind(kind)]).await?;
    record.details.0.federated = Some(Federated { pending: None, account: Some(received.account), ..waiting });
    audit(owner, &mut work, submitted(kind), &record).await?;
    records::prove(owner, &mut work, record).await?;
    Ok(work.commit().await?)
}

/// Uses up the state: of concurrent callbacks, only one proceeds, since changes of the user wait for each other.
async fn use_up(owner: &Owner, kind: ConnectorKind, id: &str, waiting: &Federated) -> Result<(), OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    let mut record = records::pending(owner, &mut work, id, &[record_kind(kind)]).await?;
    if record.details.0.federated.as_ref() != Some(waiting) {
        return Err(InteractionRefusal::NotAwaited(kind).into());
    }
    record.details.0.federated = Some(Federated { pending: None, ..waiting.clone() });
    if !verification_records::update(&mut work, &record).await? {
        return Err(OwnAccountRefusal::UnknownRecord);
    }
    Ok(work.commit().await?)
}

async fn audit(
    owner: &Owner,
    work: &mut UnitOfWork,
    key: AuditKey,
    record: &VerificationRecord,
) -> Result<(), OwnAccountRefusal> {
    let connector_id = record.details.0.federated.as_ref().map(|one| &one.connector_id);
    let details = json!({ "userId": owner.user_id, "verificationRecordId": record.id, "connectorId": connector_id });
    Ok(work.audit(key, details).await?)
}

/// Links the account of a record, in the transaction of an owner who is allowed to.
pub(super) async fn link(
    owner: &Owner,
    work: &mut UnitOfWork,
    (kind, record_id): (ConnectorKind, &str),
    linking: Linking,
) -> Result<(), OwnAccountRefusal> {
    let record = records::use_proved(owner, work, record_id, &[record_kind(kind)]).await?;
    let Some(Federated { connector_id, realm, account: Some(account), .. }) = record.details.0.federated else {
        return Err(OwnAccountRefusal::UnknownRecord);
    };
    match kind {
        ConnectorKind::Social => link_social(owner, work, (realm, account), linking).await,
        ConnectorKind::Enterprise => {
            let connector_id = SsoConnectorId::from(connector_id);
            company::check_offered(owner, work, &connector_id).await?;
            let mut update = begin_update(work, &owner.user_id).await?;
            let identity = ExternalIdentity::Enterprise { connector_id, issuer: realm, account, by_owner: true };
            link_identity(&mut update, identity).await?;
            update.save(AuditOperation::UserUpdate, json!({ "keys": ["ssoIdentities"] }), 204).await?;
            Ok(())
        }
    }
}

async fn link_social(
    owner: &Owner,
    work: &mut UnitOfWork,
    (target, account): (String, ExternalAccount),
    linking: Linking,
) -> Result<(), OwnAccountRefusal> {
    if !EXPERIENCE.find(work).await?.signs_in_at(&target) {
        return Err(InteractionRefusal::MethodDisabled.into());
    }
    if administers(&owner.app, work, &owner.user_id).await? {
        return Err(InteractionRefusal::Administrator.into());
    }
    let mut update = begin_update(work, &owner.user_id).await?;
    let has_one = update.user.identities.get(&target).is_some();
    if has_one && linking == Linking::Instead {
        unlink_identity(&mut update, &target).await?;
    }
    link_identity(&mut update, ExternalIdentity::Social { target, account }).await?;
    update.save(AuditOperation::UserUpdate, json!({ "keys": ["identities"] }), 204).await?;
    Ok(())
}
