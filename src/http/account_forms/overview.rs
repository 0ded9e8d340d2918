//! `GET /account`: the overview of the user's own account.

use super::visitor::AccountVisitor;
use crate::http::profile_fields as profile_fields_form;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::device_words::device_words;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_identity::accounts::entered as entered_before;
use claimsmith_identity::interaction::administrators::administers;
use claimsmith_identity::interaction::federated::buttons;
use claimsmith_identity::interaction::passkeys::are_of_use;
use claimsmith_identity::own_account::company::OwnCompany;
use claimsmith_identity::own_account::impersonations::OwnImpersonation;
use claimsmith_identity::own_account::profile_fields::{self, OwnField};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::settings::of_sign_in;
use claimsmith_identity::own_account::{company, factors, grants, impersonations, sessions, trusted_devices};
use claimsmith_pages::account::overview::{
    AccountPage, ActedView, AvailableFactors, DeviceView, FactorKind, FactorView, GrantView, LinkView, PersonView,
    SessionView,
};
use claimsmith_pages::custom_fields::{InputView, PREFIX, inputs};
use claimsmith_pages::form::FieldError;
use claimsmith_storage::sessions::Session;
use claimsmith_storage::sessions::trusted_devices::TrustedDevice;
use claimsmith_storage::users::User;
use claimsmith_storage::{Document as _, Slice};
use claimsmith_web::extract::form::Form;

/// Maximum number of trusted devices to show; no user has more.
const MAX_DEVICES: i64 = 100;

/// Shows the page.
pub(super) async fn show(RawQuery(query): RawQuery, person: AccountVisitor) -> Response {
    let form = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    page(&person, None, None, form.all("saved").next() == Some("true")).await
}

/// The page, with entered values and errors.
pub(super) async fn page(
    person: &AccountVisitor,
    form: Option<&Form>,
    error: Option<FieldError<'_>>,
    is_saved: bool,
) -> Response {
    match gather(person).await {
        Ok(known) => known.page(person, form, error, is_saved).answer(),
        Err(refusal) => person.fail(&refusal),
    }
}

/// The data of the page other than the user.
struct OverviewData {
    fields: Vec<OwnField>,
    factors: Vec<FactorView>,
    links: OwnLinks,
    sessions: Vec<SessionView>,
    devices: Vec<DeviceView>,
    grants: Vec<GrantView>,
    acted: Vec<ActedView>,
    /// The sign-in settings that apply to the user.
    sign_in: SignInExperience,
}

async fn gather(person: &AccountVisitor) -> Result<OverviewData, OwnAccountRefusal> {
    let owner = &person.owner;
    let current = owner.session_id();
    let mut tx = owner.read().await?;
    let sessions = sessions::list(owner, &mut tx).await?;
    let fields = profile_fields::fields(&mut tx, &person.settings).await?;
    let all = Slice { limit: MAX_DEVICES, offset: 0 };
    let (devices, _) = trusted_devices::list(owner, &mut tx, all).await?;
    let sign_in = of_sign_in(owner, &mut tx).await?;
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
        sign_in,
    })
}

/// Accounts at connectors.
struct OwnLinks {
    /// The accounts that the user has linked.
    linked: Vec<LinkView>,
    /// The connectors at which the user may link an account.
    linkable: Vec<LinkView>,
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

impl OverviewData {
    fn page<'p>(
        self,
        person: &'p AccountVisitor,
        form: Option<&Form>,
        error: Option<FieldError<'p>>,
        is_saved: bool,
    ) -> AccountPage<'p> {
        let user = &person.user;
        let named = user.name.as_deref().filter(|name| !name.is_empty());
        let identifier = user.username.as_ref().or(user.primary_email.as_ref()).or(user.primary_phone.as_ref());
        let stored = |stored: &Option<String>| stored.clone().unwrap_or_default();
        // Entered values are kept.
        let entered =
            |name: &str, stored: String| form.and_then(|form| form.all(name).next()).map_or(stored, str::to_owned);
        let available = &self.sign_in.mfa.factors;
        let channels = [Channel::Email, Channel::Phone];
        AccountPage {
            frame: &person.frame,
            csrf: &person.csrf,
            error,
            is_saved,
            settings: &person.settings,
            person: PersonView {
                shown: named.or(identifier.map(String::as_str)).unwrap_or(&user.id).to_owned(),
                name: entered("name", stored(&user.name)),
                avatar: entered("avatar", stored(&user.avatar)),
                picture: user.avatar.clone(),
                username: entered("username", stored(&user.username)),
                email: user.primary_email.clone(),
                phone: user.primary_phone.clone(),
                has_password: user.password_digest.is_some(),
            },
            inputs: inputs_of(person, form, &self.fields),
            seen: seen(person, &self.fields),
            factors: self.factors,
            available: AvailableFactors {
                authenticator: available.contains(&FactorType::Totp.setting()),
                backup_codes: available.contains(&FactorType::BackupCode.setting()),
                passkeys: person.frame.has_passkeys && are_of_use(&self.sign_in),
            },
            identities: self.links.linked,
            linkable: self.links.linkable,
            channels: channels.into_iter().filter(|channel| person.frame.reach.has(*channel)).collect(),
            sessions: self.sessions,
            devices: self.devices,
            grants: self.grants,
            acted: self.acted,
        }
    }
}

/// The inputs of the fields that the user may change, with the entered values if their form was posted.
fn inputs_of(person: &AccountVisitor, form: Option<&Form>, fields: &[OwnField]) -> Vec<InputView> {
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
fn seen(person: &AccountVisitor, fields: &[OwnField]) -> Vec<(String, String)> {
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
