//! `/account`: all of one's own account on one page, each section with its forms.

use super::overview_data::{
    AcceptedPasskeys, ActedView, AvailableFactors, DeviceView, FactorKind, FactorView, GrantView, LinkView,
    OverviewData, PersonView, SessionView, gather, inputs_of, seen,
};
use super::visitor::AccountVisitor;
use crate::custom_fields::InputView;
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree;
use crate::{page, paths};
use askama::Template;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::documents::account_center::{AccountCenter, Control, Field};
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_identity::interaction::passkeys::are_of_use;
use claimsmith_web::extract::form::Form;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account.html")]
pub(crate) struct AccountPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the forms to the browser and the account.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Whether something was just changed.
    pub(crate) is_saved: bool,
    /// Which fields the user may see and change.
    pub(crate) settings: &'a AccountCenter,
    /// Whose account it is.
    pub(crate) person: PersonView,
    /// The custom profile fields that the user may change.
    pub(crate) inputs: Vec<InputView>,
    /// Those that the user may only see, by label.
    pub(crate) seen: Vec<(String, String)>,
    /// The second factors.
    pub(crate) factors: Vec<FactorView>,
    /// Which may be set up.
    pub(crate) available: AvailableFactors,
    /// Linked accounts.
    pub(crate) identities: Vec<LinkView>,
    /// Connectors without a linked account.
    pub(crate) linkable: Vec<LinkView>,
    /// The channels over which a new email address or phone number can be verified.
    pub(crate) channels: Vec<Channel>,
    /// The sessions, the one that was used last first.
    pub(crate) sessions: Vec<SessionView>,
    /// The devices that are trusted to skip the second factor.
    pub(crate) devices: Vec<DeviceView>,
    /// The applications with access.
    pub(crate) grants: Vec<GrantView>,
    /// The impersonations of the user.
    pub(crate) acted: Vec<ActedView>,
    /// The passkeys of the user; `None` where browsers have no passkeys.
    pub(crate) passkeys: Option<AcceptedPasskeys>,
}

impl AccountPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.account.title
    }

    fn signed_in_as(&self) -> String {
        tree::fill(&self.frame.t.sign_in.signed_in_as, &[("name", &self.person.shown)])
    }

    fn portrait(&self) -> Option<String> {
        page::picture(self.frame, self.person.picture.as_deref())
    }

    fn shows(&self, field: Field) -> bool {
        self.settings.fields.shows(field)
    }

    fn edits(&self, field: Field) -> bool {
        self.settings.fields.of(field) == Control::Edit
    }

    fn has_authenticator(&self) -> bool {
        self.factors.iter().any(|factor| factor.kind == FactorKind::Authenticator)
    }

    fn has_codes(&self) -> bool {
        self.factors.iter().any(|factor| factor.kind == FactorKind::BackupCodes)
    }

    /// Whether there is a factor that backup codes can replace.
    fn may_have_codes(&self) -> bool {
        self.factors.iter().any(|factor| factor.kind != FactorKind::BackupCodes)
    }

    /// The name of a factor.
    fn factor_name<'f>(&'f self, factor: &'f FactorView) -> &'f str {
        let texts = &self.frame.t.account;
        match factor.kind {
            _ if !factor.name.is_empty() => &factor.name,
            FactorKind::Authenticator => &texts.authenticator,
            FactorKind::BackupCodes => &texts.backup_codes,
            FactorKind::Passkey => &texts.passkey,
        }
    }

    /// The label of the field of its name; empty for one that has none.
    fn name_label(&self, factor: &FactorView) -> &str {
        match factor.kind {
            FactorKind::Authenticator => &self.frame.t.account.factor_name,
            FactorKind::BackupCodes => "",
            FactorKind::Passkey => &self.frame.t.account.passkey_name,
        }
    }

    fn factor_details(&self, factor: &FactorView) -> String {
        if factor.kind == FactorKind::BackupCodes { self.codes_left(factor) } else { self.since(&factor.since) }
    }

    /// The pages where the user can add or change an email address and a phone number, each with the text of its link.
    fn address_ways(&self) -> Vec<(String, &str)> {
        let texts = &self.frame.t.account;
        let way = |channel: &Channel| {
            let (field, own) = match channel {
                Channel::Email => (Field::Email, &self.person.email),
                Channel::Phone => (Field::Phone, &self.person.phone),
            };
            let text = match (channel, own.is_some()) {
                (Channel::Email, true) => &texts.change_email,
                (Channel::Email, false) => &texts.add_email,
                (Channel::Phone, true) => &texts.change_phone,
                (Channel::Phone, false) => &texts.add_phone,
            };
            self.edits(field).then(|| (self.frame.path(paths::of_channel(*channel)), text.as_str()))
        };
        self.channels.iter().filter_map(way).collect()
    }

    /// The text of the button that links an account at a connector.
    fn link_to(&self, name: &str) -> String {
        tree::fill(&self.frame.t.account.link, &[("provider", name)])
    }

    fn has_other_sessions(&self) -> bool {
        self.sessions.iter().any(|session| !session.is_current)
    }

    fn codes_left(&self, factor: &FactorView) -> String {
        let text = self.frame.t.account.codes_left.of(factor.remaining, &self.frame.language);
        tree::fill(text, &[("count", &factor.remaining.to_string())])
    }

    fn since(&self, time: &str) -> String {
        tree::fill(&self.frame.t.account.since, &[("time", time)])
    }

    fn device(&self, session: &SessionView) -> String {
        self.named(session.browser, session.system)
    }

    fn trusted(&self, device: &DeviceView) -> String {
        self.named(device.browser, device.system)
    }

    fn named(&self, browser: Option<&str>, system: Option<&str>) -> String {
        match (browser, system) {
            (Some(browser), Some(system)) => {
                tree::fill(&self.frame.t.account.device, &[("browser", browser), ("system", system)])
            }
            (Some(name), None) | (None, Some(name)) => name.to_owned(),
            (None, None) => self.frame.t.account.unknown_device.clone(),
        }
    }

    fn trusted_details(&self, device: &DeviceView) -> String {
        let values = [("address", device.address.as_str()), ("used", &device.used), ("until", &device.until)];
        tree::fill(&self.frame.t.account.device_details, &values)
    }

    fn where_and_when(&self, session: &SessionView) -> String {
        let values = [("address", session.address.as_str()), ("since", &session.since), ("used", &session.used)];
        tree::fill(&self.frame.t.account.session_details, &values)
    }

    fn who(&self, acted: &ActedView) -> String {
        let actor = acted.actor.as_deref().unwrap_or(&self.frame.t.account.somebody);
        tree::fill(&self.frame.t.account.acted_through, &[("actor", actor), ("application", &acted.application)])
    }

    fn why(&self, acted: &ActedView) -> Option<String> {
        let texts = &self.frame.t.account;
        let reason = acted.reason.as_deref().map(|reason| tree::fill(&texts.reason, &[("reason", reason)]));
        let ticket = acted.ticket.as_deref().map(|ticket| tree::fill(&texts.ticket, &[("ticket", ticket)]));
        let said: Vec<String> = reason.into_iter().chain(ticket).collect();
        Some(said.join(" · ")).filter(|said| !said.is_empty())
    }

    fn period(&self, acted: &ActedView) -> String {
        tree::fill(&self.frame.t.account.period, &[("from", &acted.from), ("until", &acted.until)])
    }

    fn delete_url(&self) -> Option<String> {
        self.settings.delete_account_url.clone().map(String::from).filter(|url| !url.is_empty())
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        // Linking an account leads to another server.
        let forms = if self.linkable.is_empty() { Forms::Own } else { Forms::Onward };
        page::answer(self, self.frame, self.status(), forms)
    }
}

impl FormPage for AccountPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let of = [
            ("file", Field::Avatar),
            ("name", Field::Name),
            ("avatar", Field::Avatar),
            ("username", Field::Username),
            ("current_password", Field::Password),
            ("new_password", Field::Password),
        ];
        let shown = of.into_iter().filter(|(_, field)| self.edits(*field)).map(|(name, _)| (name, false));
        shown.filter(|(name, _)| *name != "current_password" || self.person.has_password).collect()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }

    /// No field is focused at first: most visits only read.
    fn has_focus(&self, field: &str) -> bool {
        self.error.as_ref().is_some_and(|error| error.field == field)
    }
}

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
            passkeys: person.frame.has_passkeys.then_some(self.passkeys),
        }
    }
}
