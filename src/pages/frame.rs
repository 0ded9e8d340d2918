//! What every page has in common: its texts, its look, and the application that the visitor came from.

mod footer;

use super::assets::{self, File};
use super::experience::{self, Experience};
use super::look::Look;
use super::paths;
use super::phrases;
use super::texts::tree;
use super::texts::{self, Texts};
use axum::http::{HeaderMap, header};
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::{Channel, SignInMethod, SignInMode};
use claimsmith_domain::id::{ApplicationId, InteractionId, OrganizationId};
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_identity::interaction::captcha::{self, PageCaptcha};
use claimsmith_identity::interaction::federated::buttons;
use claimsmith_identity::interaction::forgotten_password::CodeChannels;
use claimsmith_services::app::App;
use claimsmith_storage::{self as storage, Tx, applications};

/// Languages that are written from right to left.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

/// The context of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageContext<'a> {
    /// The application that the visitor came from.
    pub application: Option<&'a ApplicationId>,
    /// The organization that they are to sign in for.
    pub organization: Option<&'a OrganizationId>,
    /// The languages that the application asked for (`ui_locales`).
    pub ui_locales: Option<&'a str>,
    /// The languages that the browser asks for.
    pub accept_language: &'a str,
}

/// Why there is no frame.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The database failed.
    #[error("the settings of a page could not be read")]
    Storage(#[from] storage::Error),
    /// The texts cannot be deserialized.
    #[error("the texts of a page could not be read")]
    Texts(#[from] serde_json::Error),
}

/// What every page has.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The texts.
    pub t: Texts,
    /// Their language.
    pub language: LanguageTag,
    /// The style sheets and pictures.
    pub look: Look,
    /// The settings, with the looks of the application and the organization.
    pub settings: SignInExperience,
    /// The application that the visitor came from.
    pub application: Option<ApplicationView>,
    /// The other servers at which users can sign in, in their order.
    pub buttons: Vec<SocialButton>,
    /// The channels over which codes can be sent.
    pub reach: CodeChannels,
    /// The captcha of the page.
    pub(crate) captcha: Option<PageCaptcha>,
    /// Whether browsers have passkeys for this server.
    pub has_passkeys: bool,
    /// The credential id of a passkey that the browser offered and that no user has.
    pub(super) unknown_passkey: Option<String>,
    /// Whether the page is live. A preview runs no scripts.
    pub(super) is_live: bool,
    /// The interaction of the page, if it belongs to one.
    interaction: Option<InteractionId>,
    /// The path of the server's URL; usually empty.
    base: String,
}

/// An application as the user sees it.
#[derive(Clone, Debug)]
pub struct ApplicationView {
    /// Its name.
    pub name: String,
    /// Its logo.
    pub logo: Option<String>,
    /// Its own terms of use.
    pub terms_url: Option<String>,
    /// Its own privacy policy.
    pub privacy_url: Option<String>,
    /// Whether it is a third-party application.
    pub is_third_party: bool,
}

/// Another server at which users can sign in.
#[derive(Clone, Debug)]
pub struct SocialButton {
    /// The connector.
    pub id: String,
    /// What its button says.
    pub label: String,
}

impl<'a> PageContext<'a> {
    /// A page for a browser that sent these headers.
    #[must_use]
    pub fn by(headers: &'a HeaderMap) -> Self {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self { accept_language: accepted.unwrap_or_default(), ..Self::default() }
    }
}

impl Frame {
    /// Reads what the page needs.
    pub async fn load(app: &App, tx: &mut Tx, asked: &PageContext<'_>) -> Result<Self, FrameError> {
        let found = experience::find(tx, asked.application, asked.organization).await?;
        Self::of(app, tx, asked, found).await
    }

    /// The same with settings that were read already.
    pub(super) async fn of(
        app: &App,
        tx: &mut Tx,
        asked: &PageContext<'_>,
        Experience { settings, application: own }: Experience,
    ) -> Result<Self, FrameError> {
        let there = phrases::languages(tx).await?;
        let language = phrases::choose(&there, &settings.language_info, asked.ui_locales, asked.accept_language);
        let t: Texts = serde_json::from_value(phrases::in_language(tx, &language).await?)?;
        let base = path_of(app.config.server.base_url.as_str());
        let owners = [
            ("application", asked.application.map(ApplicationId::as_str)),
            ("organization", asked.organization.map(OrganizationId::as_str)),
        ];
        let owners: Vec<_> = owners.into_iter().filter_map(|(name, id)| Some((name, id?))).collect();
        let mut look = Look::of(&settings, &base, &owners);
        let application = match asked.application {
            Some(id) => applications::find(tx, id).await?,
            None => None,
        };
        let application = application.map(|found| {
            let own = own.unwrap_or_default();
            let named = own.display_name.map(String::from).filter(|name| !name.is_empty());
            let logo = own.branding.logo_url.or(found.oidc_client_metadata.0.logo_uri);
            ApplicationView {
                name: named.unwrap_or(found.name),
                logo: logo.and_then(|url| look.allow(&url)),
                terms_url: own.terms_of_use_url.map(String::from).filter(|url| !url.is_empty()),
                privacy_url: own.privacy_policy_url.map(String::from).filter(|url| !url.is_empty()),
                is_third_party: found.is_third_party,
            }
        });
        let reach = CodeChannels::load(tx, asked.application).await?;
        let has_passkeys = app.passkeys.are_possible();
        let captcha = captcha::on_pages(app, tx, &settings).await?;
        let buttons = buttons::list(tx, &settings).await?;
        let buttons = buttons.iter().map(|button| {
            let label = tree::fill(&t.sign_in.with_provider, &[("provider", button.name(language.as_str()))]);
            SocialButton { id: button.id.clone(), label }
        });
        let buttons = buttons.collect();
        let (is_live, interaction) = (true, None);
        Ok(Self {
            t,
            language,
            look,
            settings,
            application,
            buttons,
            reach,
            captcha,
            has_passkeys,
            unknown_passkey: None,
            is_live,
            interaction,
            base,
        })
    }

    /// The same for a page of this interaction.
    #[must_use]
    pub fn of_interaction(self, id: &InteractionId) -> Self {
        Self { interaction: Some(id.clone()), ..self }
    }

    /// A frame that needs no database: in a built-in language, with the default settings.
    pub(super) fn plain(language: &str) -> Option<Self> {
        let settings = SignInExperience::default();
        let look = Look::of(&settings, "", &[]);
        let t = texts::plain(language)?;
        let language = LanguageTag::try_from(language.to_owned()).ok()?;
        let (reach, buttons, base) = (CodeChannels::default(), Vec::new(), String::new());
        let (application, captcha, has_passkeys, is_live, interaction) = (None, None, true, true, None);
        Some(Self {
            t,
            language,
            look,
            settings,
            application,
            buttons,
            reach,
            captcha,
            has_passkeys,
            unknown_passkey: None,
            is_live,
            interaction,
            base,
        })
    }

    /// A path of this server, as browsers have to ask for it.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The path of another page or step of the same interaction, which is in the query because each tab has its own.
    pub(super) fn step(&self, path: &str) -> String {
        match &self.interaction {
            Some(id) => self.path(&paths::of_interaction(path, id)),
            None => self.path(path),
        }
    }

    /// The same with a query.
    pub(super) fn step_with(&self, path: &str, query: &str) -> String {
        self.step(&format!("{path}?{query}"))
    }

    /// The default favicon.
    pub(super) fn default_icon(&self) -> String {
        self.asset(File::Icon)
    }

    /// The script of fields for passwords.
    pub(super) fn password_script(&self) -> String {
        self.asset(File::Password)
    }

    /// The script of forms that a passkey fills in.
    pub(super) fn passkey_script(&self) -> String {
        self.asset(File::Passkey)
    }

    /// The script of forms with a puzzle.
    pub(super) fn captcha_script(&self) -> String {
        self.asset(File::Captcha)
    }

    fn asset(&self, file: File) -> String {
        format!("{}{}{}", self.base, assets::FOLDER, file.name())
    }

    /// `rtl` or `ltr`.
    #[must_use]
    pub fn direction(&self) -> &'static str {
        let mut parts = self.language.as_str().split('-');
        let is_listed = parts.next().is_some_and(|language| RIGHT_TO_LEFT.contains(&language));
        let is_right_to_left = match parts.find(|part| part.len() == 4) {
            Some(script) => matches!(script, "Arab" | "Hebr" | "Syrc" | "Thaa"),
            None => is_listed,
        };
        if is_right_to_left { "rtl" } else { "ltr" }
    }

    /// The name of the application, or nothing.
    pub(super) fn application_name(&self) -> &str {
        self.application.as_ref().map_or("", |application| &application.name)
    }

    /// The first text with the name of the application, if there is one; otherwise the second text.
    pub(super) fn titled(&self, with: &str, without: &str) -> String {
        match &self.application {
            Some(application) => tree::fill(with, &[("application", &application.name)]),
            None => without.to_owned(),
        }
    }

    /// A text with the name of the application in it.
    pub(super) fn about_application(&self, text: &str) -> String {
        tree::fill(text, &[("application", self.application_name())])
    }

    /// Whether registration is enabled.
    #[must_use]
    pub fn may_register(&self) -> bool {
        self.settings.sign_in_mode != SignInMode::SignIn
    }

    /// Whether sign-in is enabled.
    pub(super) fn may_sign_in(&self) -> bool {
        self.settings.sign_in_mode != SignInMode::Register
    }

    /// Whether sign-in with a password is enabled.
    #[must_use]
    pub fn takes_password(&self) -> bool {
        self.settings.sign_in.methods.iter().any(|method| method.password)
    }

    /// Whether sign-in with a code is enabled.
    pub(crate) fn takes_code(&self) -> bool {
        [Channel::Email, Channel::Phone].into_iter().any(|channel| self.takes_code_over(channel))
    }

    fn takes_code_over(&self, channel: Channel) -> bool {
        self.settings.sign_in.takes_code_of(channel.identifier()) && self.reach.has(channel)
    }

    /// Whether sign-in begins with a code rather than a password.
    #[must_use]
    pub fn prefers_code(&self) -> bool {
        let mut by_code = self.settings.sign_in.methods.iter().filter(|method| method.verification_code);
        self.takes_code()
            && (!self.takes_password() || by_code.all(|method| method.password && !method.is_password_primary))
    }

    /// Whether registration with an email address or a phone number, verified by a code, is enabled.
    #[must_use]
    pub fn registers_by_code(&self) -> bool {
        let identifiers = &self.settings.sign_up.identifiers;
        identifiers.iter().filter_map(|identifier| identifier.channel()).any(|channel| self.reach.has(channel))
    }

    /// Whether registration with a username is enabled. It is, if there is no other way.
    #[must_use]
    pub fn registers_by_name(&self) -> bool {
        self.settings.sign_up.identifiers.contains(&IdentifierType::Username) || !self.registers_by_code()
    }

    /// The channels over which a forgotten password can be reset.
    #[must_use]
    pub fn resets(&self) -> Vec<Channel> {
        self.reach.resets(&self.settings)
    }

    /// The label of the identifier beside a password, or before a code.
    pub(super) fn identifier_label(&self, is_code: bool) -> &str {
        let is_taken = |method: &SignInMethod| if is_code { method.verification_code } else { method.password };
        self.label(|identifier| {
            self.settings.sign_in.methods.iter().any(|method| method.identifier == identifier && is_taken(method))
        })
    }

    /// The label of the identifier for registration by a code.
    pub(super) fn registration_label(&self) -> &str {
        let identifiers = &self.settings.sign_up.identifiers;
        self.label(|identifier| identifier.channel().is_some() && identifiers.contains(&identifier))
    }

    /// The label of the identifier if a code is sent over one of these channels.
    pub(super) fn channels_label(&self, channels: &[Channel]) -> &str {
        self.label(|identifier| identifier.channel().is_some_and(|channel| channels.contains(&channel)))
    }

    fn label(&self, has: impl Fn(IdentifierType) -> bool) -> &str {
        let fields = &self.t.fields;
        let (username, email, phone) =
            (has(IdentifierType::Username), has(IdentifierType::Email), has(IdentifierType::Phone));
        match (username, email, phone) {
            (true, true, true) => &fields.any_identifier,
            (true, true, false) => &fields.username_or_email,
            (true, false, true) => &fields.username_or_phone,
            (false, true, true) => &fields.email_or_phone,
            (false, true, false) => &fields.email,
            (false, false, true) => &fields.phone,
            (_, false, false) => &fields.username,
        }
    }

    /// The rules for new passwords.
    pub(super) fn password_hint(&self) -> String {
        let min = self.settings.password_policy.min_length();
        tree::fill(self.t.register.password_hint.of(min, &self.language), &[("min", &min.to_string())])
    }

    /// The same for password managers (`passwordrules`).
    pub(super) fn password_rules(&self) -> String {
        format!("minlength: {};", self.settings.password_policy.min_length())
    }
}

/// The path of a URL, without the slash at its end.
fn path_of(url: &str) -> String {
    url::Url::parse(url).map(|url| url.path().trim_end_matches('/').to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
