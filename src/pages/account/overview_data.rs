//! The data of the overview of the user's own account, as it is shown.

use super::visitor::AccountVisitor;
use crate::custom_fields::{self as profile_fields_form, InputView, PREFIX, inputs};
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::device_words::device_words;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::UserId;
use claimsmith_identity::accounts::entered as entered_before;
use claimsmith_identity::interaction::administrators::administers;
use claimsmith_identity::interaction::federated::buttons;
use claimsmith_identity::own_account::company::{self, OwnCompany};
use claimsmith_identity::own_account::impersonations::{self, OwnImpersonation};
use claimsmith_identity::own_account::profile_fields::{self, OwnField};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::settings::of_sign_in;
use claimsmith_identity::own_account::{factors, grants, sessions, trusted_devices};
use claimsmith_services::passkeys::user_handle;
use claimsmith_storage::sessions::Session;
use claimsmith_storage::sessions::trusted_devices::TrustedDevice;
use claimsmith_storage::users::{User, passkeys};
use claimsmith_storage::{self as storage, Document as _, Slice, Tx};
use claimsmith_web::extract::form::Form;

/// Maximum number of trusted devices to show; no user has more.
const MAX_DEVICES: i64 = 100;

/// Whose account it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct PersonView {
    /// The name in the greeting.
    pub(crate) shown: String,
    /// Display name.
    pub(crate) name: String,
    /// URL of the picture, or what was entered.
    pub(crate) avatar: String,
    /// URL of the current picture.
    pub(crate) picture: Option<String>,
    /// User name.
    pub(crate) username: String,
    /// Email address.
    pub(crate) email: Option<String>,
    /// Phone number.
    pub(crate) phone: Option<String>,
    /// Whether they have a password.
    pub(crate) has_password: bool,
}

/// An account elsewhere, or a connector at which one can be linked.
#[derive(Clone, Debug)]
pub(crate) struct LinkView {
    /// The kind of the connector.
    pub(crate) kind: ConnectorKind,
    /// The connector; of an account at a social one, its target.
    pub(crate) id: String,
    /// The name that is shown for it.
    pub(crate) name: String,
}

impl LinkView {
    /// The field that names the connector when an account is linked.
    pub(super) fn link_field(&self) -> &'static str {
        match self.kind {
            ConnectorKind::Social => "connector",
            ConnectorKind::Enterprise => "enterprise",
        }
    }

    /// The field that names the account when it is removed.
    pub(super) fn removal_field(&self) -> &'static str {
        match self.kind {
            ConnectorKind::Social => "target",
            ConnectorKind::Enterprise => "enterprise",
        }
    }
}

/// What a second factor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactorKind {
    /// An authenticator application.
    Authenticator,
    /// Backup codes.
    BackupCodes,
    /// A passkey.
    Passkey,
}

/// A second factor.
#[derive(Clone, Debug)]
pub(crate) struct FactorView {
    /// Its id.
    pub(crate) id: String,
    /// What it is.
    pub(crate) kind: FactorKind,
    /// The name that its user gave it.
    pub(crate) name: String,
    /// How many backup codes are left.
    pub(crate) remaining: usize,
    /// Since when.
    pub(crate) since: String,
}

/// Which second factors the settings have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AvailableFactors {
    /// An authenticator.
    pub(crate) authenticator: bool,
    /// Backup codes, which need another factor.
    pub(crate) backup_codes: bool,
    /// Passkeys.
    pub(crate) passkeys: bool,
}

/// All passkeys of the user, so that the browser stops offering others for them
/// (`PublicKeyCredential.signalAllAcceptedCredentials`).
#[derive(Clone, Debug)]
pub(crate) struct AcceptedPasskeys {
    /// The user handle, base64url.
    pub(crate) user: String,
    /// The credential ids, base64url, with spaces in between.
    pub(crate) ids: String,
}

/// A session.
#[derive(Clone, Debug)]
pub(crate) struct SessionView {
    /// Its id.
    pub(crate) id: String,
    /// The browser, as far as it is known.
    pub(crate) browser: Option<&'static str>,
    /// The system, as far as it is known.
    pub(crate) system: Option<&'static str>,
    /// The address.
    pub(crate) address: String,
    /// When they signed in.
    pub(crate) since: String,
    /// When it was last used.
    pub(crate) used: String,
    /// Whether it is this one.
    pub(crate) is_current: bool,
}

/// A trusted device.
#[derive(Clone, Debug)]
pub(crate) struct DeviceView {
    /// Its id.
    pub(crate) id: String,
    /// The browser, as far as it is known.
    pub(crate) browser: Option<&'static str>,
    /// The system, as far as it is known.
    pub(crate) system: Option<&'static str>,
    /// The address, when it was last used.
    pub(crate) address: String,
    /// When it was last used.
    pub(crate) used: String,
    /// Until when it is trusted.
    pub(crate) until: String,
}

/// An application with access.
#[derive(Clone, Debug)]
pub(crate) struct GrantView {
    /// The id of the grant.
    pub(crate) id: String,
    /// The name of the application.
    pub(crate) name: String,
    /// Since when.
    pub(crate) since: String,
}

/// An impersonation of the user.
#[derive(Clone, Debug)]
pub(crate) struct ActedView {
    /// The id of the token.
    pub(crate) id: String,
    /// Who.
    pub(crate) actor: Option<String>,
    /// Through which application.
    pub(crate) application: String,
    /// Why.
    pub(crate) reason: Option<String>,
    /// The ticket about it.
    pub(crate) ticket: Option<String>,
    /// From when.
    pub(crate) from: String,
    /// Until when.
    pub(crate) until: String,
    /// Whether it goes on.
    pub(crate) is_active: bool,
}

/// The data of the page other than the user.
pub(super) struct OverviewData {
    pub(super) fields: Vec<OwnField>,
    pub(super) factors: Vec<FactorView>,
    pub(super) links: OwnLinks,
    pub(super) sessions: Vec<SessionView>,
    pub(super) devices: Vec<DeviceView>,
    pub(super) grants: Vec<GrantView>,
    pub(super) acted: Vec<ActedView>,
    pub(super) passkeys: AcceptedPasskeys,
    /// The sign-in settings that apply to the user.
    pub(super) sign_in: SignInExperience,
}

pub(super) async fn gather(person: &AccountVisitor) -> Result<OverviewData, OwnAccountRefusal> {
    let owner = &person.owner;
    let current = owner.session_id();
    let mut tx = owner.read().await?;
    let sessions = sessions::list(owner, &mut tx).await?;
    let fields = profile_fields::fields(&mut tx, &person.settings).await?;
    let all = Slice { limit: MAX_DEVICES, offset: 0 };
    let (devices, _) = trusted_devices::list(owner, &mut tx, all).await?;
    let sign_in = of_sign_in(owner, &mut tx).await?;
    let passkeys = accepted_passkeys(&mut tx, &owner.user_id).await?;
    drop(tx);
    let (acted, _) = impersonations::list(owner).await?;
    let factor = |one: factors::OwnFactor| FactorView {
        kind: match one.kind {
            FactorType::BackupCode => FactorKind::BackupCodes,
            FactorType::WebAuthn => FactorKind::Passkey,
            _ => FactorKind::Authenticator,
        },
        name: one.name.unwrap_or_default(),
        remaining: one.remaining.unwrap_or_default(),
        since: shown(one.created_at),
        id: one.id.into(),
    };
    Ok(OverviewData {
        fields,
        links: links(person).await?,
        factors: factors::list(owner).await?.into_iter().map(factor).collect(),
        sessions: sessions.into_iter().map(|one| session(current == Some(&one.id), one)).collect(),
        devices: devices.into_iter().map(device).collect(),
        grants: grants::list(owner)
            .await?
            .into_iter()
            .map(|(grant, application)| GrantView {
                id: grant.id.into(),
                name: application.name,
                since: shown(grant.created_at),
            })
            .collect(),
        acted: acted.iter().map(|one| acted_view(one, owner.now())).collect(),
        passkeys,
        sign_in,
    })
}

async fn accepted_passkeys(tx: &mut Tx, user_id: &UserId) -> storage::Result<AcceptedPasskeys> {
    let known = passkeys::of_user(tx, user_id).await?;
    let ids: Vec<&str> = known.iter().map(|passkey| passkey.credential_id.as_str()).collect();
    Ok(AcceptedPasskeys { user: user_handle(user_id), ids: ids.join(" ") })
}

/// Accounts at connectors.
pub(super) struct OwnLinks {
    /// The accounts that the user has linked.
    pub(super) linked: Vec<LinkView>,
    /// The connectors at which the user may link an account.
    pub(super) linkable: Vec<LinkView>,
}

/// The links of the user. Administrators see enterprise connectors, and cannot link accounts at social ones.
async fn links(person: &AccountVisitor) -> Result<OwnLinks, OwnAccountRefusal> {
    let owner = &person.owner;
    let mut tx = owner.read().await?;
    let social = |id: String, name: String| LinkView { kind: ConnectorKind::Social, id, name };
    let company = |one: OwnCompany| LinkView { kind: ConnectorKind::Enterprise, id: one.id.into(), name: one.name };
    let targets = targets(&person.user);
    let (linked, linkable): (Vec<_>, Vec<_>) = if administers(&owner.app, &mut tx, &owner.user_id).await? {
        let (linked, offered) = company::list(owner, &mut tx).await?;
        (linked.into_iter().map(company).collect(), offered.into_iter().map(company).collect())
    } else {
        let found = buttons::list(&mut tx, &person.frame.settings).await?;
        let language = person.frame.language.as_str();
        let free = found.into_iter().filter(|one| !targets.contains(&one.target));
        (Vec::new(), free.map(|one| social(one.id.clone(), one.name(language).to_owned())).collect())
    };
    let own = targets.into_iter().map(|target| social(target.clone(), target));
    let is_edited = person.settings.fields.edits(Field::Social);
    Ok(OwnLinks { linked: own.chain(linked).collect(), linkable: if is_edited { linkable } else { Vec::new() } })
}

fn session(is_current: bool, session: Session) -> SessionView {
    let details = session.details.0.unwrap_or_default();
    let (browser, system) = device_words(details.user_agent.as_deref().unwrap_or_default());
    SessionView {
        id: session.id.into(),
        browser,
        system,
        address: details.ip.unwrap_or_else(|| "–".to_owned()),
        since: shown(session.authenticated_at),
        used: shown(session.last_active_at),
        is_current,
    }
}

fn device(device: TrustedDevice) -> DeviceView {
    let (browser, system) = device_words(device.user_agent.as_deref().unwrap_or_default());
    DeviceView {
        id: device.id.into(),
        browser,
        system,
        address: device.ip.unwrap_or_else(|| "–".to_owned()),
        used: shown(device.last_used_at),
        until: shown(device.expires_at),
    }
}

fn acted_view(one: &OwnImpersonation, now: i64) -> ActedView {
    let application = one.application.as_ref().map(|application| application.name.clone());
    ActedView {
        id: one.token.jti.clone(),
        actor: one.name_of_actor().map(str::to_owned),
        application: application.unwrap_or_else(|| one.token.application_id.to_string()),
        reason: one.context("reason").map(str::to_owned),
        ticket: one.context("ticketId").map(str::to_owned),
        from: shown(one.token.created_at),
        until: shown(one.token.revoked_at.unwrap_or(one.token.expires_at)),
        is_active: one.token.is_active(now),
    }
}

/// A time for display: to the minute, in UTC.
fn shown(ms: i64) -> String {
    let text = iso8601(ms);
    let minutes = text.get(..16).unwrap_or(&text);
    format!("{} UTC", minutes.replace('T', " "))
}

/// The inputs of the fields that the user may change, with the entered values if their form was posted.
pub(super) fn inputs_of(person: &AccountVisitor, form: Option<&Form>, fields: &[OwnField]) -> Vec<InputView> {
    let editable: Vec<_> =
        fields.iter().filter(|field| field.is_editable).map(|field| field.definition.clone()).collect();
    let is_of_fields = |form: &&Form| form.pairs().any(|(name, _)| name.starts_with(PREFIX));
    let typed = form.filter(is_of_fields).map(|form| profile_fields_form::entered(form, &editable));
    inputs(&person.frame, &editable, |name| match &typed {
        Some(typed) => typed.get(name).cloned(),
        None => entered_before(&person.user, name),
    })
}

/// The fields that the user can only view.
pub(super) fn seen(person: &AccountVisitor, fields: &[OwnField]) -> Vec<(String, String)> {
    let only_seen: Vec<_> =
        fields.iter().filter(|field| !field.is_editable).map(|field| field.definition.clone()).collect();
    let views = inputs(&person.frame, &only_seen, |name| entered_before(&person.user, name));
    views.into_iter().filter(|view| !view.value.is_empty()).map(|view| (view.label, view.value)).collect()
}

/// The targets of the linked accounts.
fn targets(user: &User) -> Vec<String> {
    let linked = user.identities.as_object().filter(|_| !user.identities.is_unreadable());
    linked.into_iter().flat_map(|linked| linked.keys().cloned()).collect()
}
