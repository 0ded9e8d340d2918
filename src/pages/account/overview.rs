//! `/account`: all of one's own account on one page, each section with its forms.

use super::address::path_of;
use crate::custom_fields::InputView;
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::account_center::{AccountCenter, Control, Field};
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account.html")]
pub struct AccountPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the forms to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Whether something was just changed.
    pub is_saved: bool,
    /// Which fields the user may see and change.
    pub settings: &'a AccountCenter,
    /// Whose account it is.
    pub person: PersonView,
    /// The custom profile fields that the user may change.
    pub inputs: Vec<InputView>,
    /// Those that the user may only see, by label.
    pub seen: Vec<(String, String)>,
    /// The second factors.
    pub factors: Vec<FactorView>,
    /// Which may be set up.
    pub available: AvailableFactors,
    /// Linked accounts.
    pub identities: Vec<LinkView>,
    /// Connectors without a linked account.
    pub linkable: Vec<LinkView>,
    /// The channels over which a new email address or phone number can be verified.
    pub channels: Vec<Channel>,
    /// The sessions, the one that was used last first.
    pub sessions: Vec<SessionView>,
    /// The devices that are trusted to skip the second factor.
    pub devices: Vec<DeviceView>,
    /// The applications with access.
    pub grants: Vec<GrantView>,
    /// The impersonations of the user.
    pub acted: Vec<ActedView>,
}

/// Whose account it is.
#[derive(Clone, Debug, Default)]
pub struct PersonView {
    /// The name in the greeting.
    pub shown: String,
    /// Display name.
    pub name: String,
    /// URL of the picture, or what was entered.
    pub avatar: String,
    /// URL of the current picture.
    pub picture: Option<String>,
    /// User name.
    pub username: String,
    /// Email address.
    pub email: Option<String>,
    /// Phone number.
    pub phone: Option<String>,
    /// Whether they have a password.
    pub has_password: bool,
}

/// An account elsewhere, or a connector at which one can be linked.
#[derive(Clone, Debug)]
pub struct LinkView {
    /// The kind of the connector.
    pub kind: ConnectorKind,
    /// The connector; of an account at a social one, its target.
    pub id: String,
    /// The name that is shown for it.
    pub name: String,
}

impl LinkView {
    /// The field that names the connector when an account is linked.
    fn link_field(&self) -> &'static str {
        match self.kind {
            ConnectorKind::Social => "connector",
            ConnectorKind::Enterprise => "enterprise",
        }
    }

    /// The field that names the account when it is removed.
    fn removal_field(&self) -> &'static str {
        match self.kind {
            ConnectorKind::Social => "target",
            ConnectorKind::Enterprise => "enterprise",
        }
    }
}

/// What a second factor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorKind {
    /// An authenticator application.
    Authenticator,
    /// Backup codes.
    BackupCodes,
    /// A passkey.
    Passkey,
}

/// A second factor.
#[derive(Clone, Debug)]
pub struct FactorView {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: FactorKind,
    /// The name that its user gave it.
    pub name: String,
    /// How many backup codes are left.
    pub remaining: usize,
    /// Since when.
    pub since: String,
}

/// Which second factors the settings have.
#[derive(Clone, Copy, Debug, Default)]
pub struct AvailableFactors {
    /// An authenticator.
    pub authenticator: bool,
    /// Backup codes, which need another factor.
    pub backup_codes: bool,
    /// Passkeys.
    pub passkeys: bool,
}

/// A session.
#[derive(Clone, Debug)]
pub struct SessionView {
    /// Its id.
    pub id: String,
    /// The browser, as far as it is known.
    pub browser: Option<&'static str>,
    /// The system, as far as it is known.
    pub system: Option<&'static str>,
    /// The address.
    pub address: String,
    /// When they signed in.
    pub since: String,
    /// When it was last used.
    pub used: String,
    /// Whether it is this one.
    pub is_current: bool,
}

/// A trusted device.
#[derive(Clone, Debug)]
pub struct DeviceView {
    /// Its id.
    pub id: String,
    /// The browser, as far as it is known.
    pub browser: Option<&'static str>,
    /// The system, as far as it is known.
    pub system: Option<&'static str>,
    /// The address, when it was last used.
    pub address: String,
    /// When it was last used.
    pub used: String,
    /// Until when it is trusted.
    pub until: String,
}

/// An application with access.
#[derive(Clone, Debug)]
pub struct GrantView {
    /// The id of the grant.
    pub id: String,
    /// The name of the application.
    pub name: String,
    /// Since when.
    pub since: String,
}

/// An impersonation of the user.
#[derive(Clone, Debug)]
pub struct ActedView {
    /// The id of the token.
    pub id: String,
    /// Who.
    pub actor: Option<String>,
    /// Through which application.
    pub application: String,
    /// Why.
    pub reason: Option<String>,
    /// The ticket about it.
    pub ticket: Option<String>,
    /// From when.
    pub from: String,
    /// Until when.
    pub until: String,
    /// Whether it goes on.
    pub is_active: bool,
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
            self.edits(field).then(|| (self.frame.path(path_of(*channel)), text.as_str()))
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
    pub fn answer(&self) -> Response {
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
