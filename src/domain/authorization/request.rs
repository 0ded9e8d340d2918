//! A valid authorization request, as it is kept while somebody signs in, and what a code and its tokens stand for.

use super::screen::Screen;
use crate::id::{ApplicationId, DeviceAuthorizationId, OrganizationId, SessionId, UserId};
use crate::submitted_interaction::SubmittedInteraction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// In the place of an application's id: the page `/account` of this server, which people sign in for without one.
pub const ACCOUNT_PAGE: &str = "account-center";

/// How the answer gets to the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponseMode {
    /// In the query of its redirect URI.
    #[default]
    Query,
    /// In the fragment.
    Fragment,
    /// By a form that the browser posts.
    FormPost,
}

impl ResponseMode {
    /// The mode of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "query" => Some(Self::Query),
            "fragment" => Some(Self::Fragment),
            "form_post" => Some(Self::FormPost),
            _ => None,
        }
    }
}

/// What an application wants the user to be asked (OpenID Connect Core section 3.1.2.1, Prompt Create section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prompt {
    /// Nothing: it fails rather than asks.
    None,
    /// To sign in again.
    Login,
    /// To consent again.
    Consent,
    /// To register.
    Create,
    /// To choose an account.
    SelectAccount,
}

impl Prompt {
    /// The prompt of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "login" => Some(Self::Login),
            "consent" => Some(Self::Consent),
            "create" => Some(Self::Create),
            "select_account" => Some(Self::SelectAccount),
            _ => None,
        }
    }
}

/// A valid request: its client exists, and its redirect URI is registered. That of a device has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationRequest {
    /// The application.
    pub client_id: ApplicationId,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// How.
    pub response_mode: ResponseMode,
    /// Comes back as it is.
    pub state: Option<String>,
    /// Stands in the ID token.
    pub nonce: Option<String>,
    /// The requested scopes, about the user and of resources.
    pub scope: Vec<String>,
    /// The indicators of resources that tokens will be asked for (RFC 8707).
    pub resources: Vec<String>,
    /// The challenge of the code (RFC 7636).
    pub code_challenge: Option<String>,
    /// What the user is to be asked.
    pub prompts: Vec<Prompt>,
    /// The most seconds since the user last signed in.
    pub max_age: Option<i64>,
    /// Who signs in, as the application guesses.
    pub login_hint: Option<String>,
    /// SHA-256 of the token of a link by email, hexadecimal: whoever `login_hint` names came by it.
    #[serde(default)]
    pub one_time_token_hash: Option<String>,
    /// Languages, as the application wants them.
    pub ui_locales: Option<String>,
    /// The user of the `id_token_hint`.
    pub hinted_user: Option<UserId>,
    /// The page to begin with.
    pub screen: Option<Screen>,
    /// The other server to begin with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_sign_in: Option<DirectSignIn>,
    /// The classes of authentication that the application would like, the best one first (`acr_values`).
    #[serde(default)]
    pub acr_values: Vec<String>,
    /// The organization for which they are to sign in: its look is that of the pages.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// The device that asks, when no browser brought the request (RFC 8628).
    #[serde(default)]
    pub device: Option<Device>,
}

/// The other server at which somebody signs in without choosing it on a page (`direct_sign_in`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DirectSignIn {
    /// The social connector of this target.
    Social(String),
    /// The enterprise connector of this id.
    Sso(String),
}

impl DirectSignIn {
    /// Of `social:TARGET` or `sso:CONNECTOR_ID`; what is unknown asks for nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (method, target) = text.split_once(':').filter(|(_, target)| !target.is_empty())?;
        match method {
            "social" => Some(Self::Social(target.to_owned())),
            "sso" => Some(Self::Sso(target.to_owned())),
            _ => None,
        }
    }
}

/// A device whose code somebody entered. The code itself is in the browser alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// The id of its device authorization; not its code.
    pub id: DeviceAuthorizationId,
    /// SHA-256 of the user code, hexadecimal.
    pub user_code_hash: String,
    /// The address that it asked from.
    pub address: Option<IpAddr>,
}

impl AuthorizationRequest {
    /// Whether this prompt was asked for.
    #[must_use]
    pub fn asks(&self, prompt: Prompt) -> bool {
        self.prompts.contains(&prompt)
    }

    /// Whether somebody signs in for the page of their own account, and for no application.
    #[must_use]
    pub fn is_of_account_page(&self) -> bool {
        self.client_id == *ACCOUNT_PAGE
    }

    /// The application.
    #[must_use]
    pub fn application_id(&self) -> Option<&ApplicationId> {
        Some(&self.client_id).filter(|_| !self.is_of_account_page())
    }

    /// Whether this scope was asked for.
    #[must_use]
    pub fn requests(&self, scope: &str) -> bool {
        self.scope.iter().any(|known| known == scope)
    }
}

/// What was authorized: a code and the tokens that come from it stand for this.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Authorized {
    /// See [`AuthorizationRequest::redirect_uri`].
    pub redirect_uri: String,
    /// See [`AuthorizationRequest::code_challenge`].
    pub code_challenge: Option<String>,
    /// See [`AuthorizationRequest::nonce`].
    pub nonce: Option<String>,
    /// The granted scopes about the user, and `offline_access`.
    pub scope: Vec<String>,
    /// Scopes of resources that were asked for.
    pub resource_scope: Vec<String>,
    /// Resources that tokens may be asked for.
    pub resources: Vec<String>,
    /// What a third party was given; `None` when the application is the operator's own.
    pub consented: Option<Consented>,
    /// The session in which it was given.
    pub session_id: Option<SessionId>,
    /// When the user signed in, Unix seconds.
    pub auth_time: i64,
    /// How the user signed in (RFC 8176).
    pub amr: Vec<String>,
    /// See [`AuthorizationRequest::acr_values`].
    #[serde(default)]
    pub acr_values: Vec<String>,
    /// The sign-in or registration by which the session began, or was renewed last.
    #[serde(default)]
    pub interaction: Option<SubmittedInteraction>,
}

/// What a third party was given beside scopes about the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Consented {
    /// Scopes of resources, by indicator.
    pub resources: BTreeMap<String, Vec<String>>,
    /// Ids of organizations.
    pub organizations: Vec<String>,
}
