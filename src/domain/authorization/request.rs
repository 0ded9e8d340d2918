//! A valid authorization request, as it is stored during sign-in, and the authorization that a code and its tokens
//! represent.

use super::screen::Screen;
use crate::id::{ApplicationId, DeviceAuthorizationId, OrganizationId, SessionId, UserId};
use crate::spelling::spelled;
use crate::submitted_interaction::SubmittedInteraction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Used as the client id of the `/account` page of this server, which users sign in to without an application.
pub const ACCOUNT_PAGE: &str = "account-center";

spelled! {
/// How the response is returned to the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResponseMode {
    /// In the query of its redirect URI.
    #[default]
    Query = "query",
    /// In the fragment.
    Fragment = "fragment",
    /// In a form that the browser posts.
    FormPost = "form_post",
}
}

spelled! {
/// A value of `prompt` (OpenID Connect Core section 3.1.2.1, Prompt Create section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompt {
    /// No page: the request fails instead.
    None = "none",
    /// Sign in again.
    Login = "login",
    /// Consent again.
    Consent = "consent",
    /// Register.
    Create = "create",
    /// Choose an account.
    SelectAccount = "select_account",
}
}

/// A valid request: its client exists, and its redirect URI is registered. A device's request has no redirect URI.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationRequest {
    /// The application.
    pub client_id: ApplicationId,
    /// The redirect URI.
    pub redirect_uri: String,
    /// How the response is returned.
    pub response_mode: ResponseMode,
    /// Returned unchanged.
    pub state: Option<String>,
    /// Included in the ID token.
    pub nonce: Option<String>,
    /// The requested scopes: user scopes and scopes of resources.
    pub scope: Vec<String>,
    /// The indicators of resources that tokens will be requested for (RFC 8707).
    pub resources: Vec<String>,
    /// The challenge of the code (RFC 7636).
    pub code_challenge: Option<String>,
    /// The requested prompts.
    pub prompts: Vec<Prompt>,
    /// Maximum seconds since the user last signed in.
    pub max_age: Option<i64>,
    /// The identifier of the expected user, suggested by the application.
    pub login_hint: Option<String>,
    /// SHA-256 of the one-time token of an emailed link, hexadecimal; the link was sent to the `login_hint` user.
    #[serde(default)]
    pub one_time_token_hash: Option<String>,
    /// Languages preferred by the application.
    pub ui_locales: Option<String>,
    /// The user of the `id_token_hint`.
    pub hinted_user: Option<UserId>,
    /// The first page to show.
    pub screen: Option<Screen>,
    /// The identity provider to go to directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_sign_in: Option<DirectSignIn>,
    /// The requested authentication context classes in order of preference (`acr_values`).
    #[serde(default)]
    pub acr_values: Vec<String>,
    /// The organization to sign in to: the pages use its branding.
    #[serde(default)]
    pub organization_id: Option<OrganizationId>,
    /// SHA-256 of the `request_uri`, hexadecimal, if the request was pushed (RFC 9126).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pushed_hash: Option<String>,
    /// The requesting device, if the request did not come from a browser (RFC 8628).
    #[serde(default)]
    pub device: Option<Device>,
}

/// The identity provider that users are sent to without choosing it on a page (`direct_sign_in`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DirectSignIn {
    /// The social connector with this target.
    Social(String),
    /// The enterprise connector with this id.
    Sso(String),
}

impl DirectSignIn {
    /// Parses `social:TARGET` or `sso:CONNECTOR_ID`; unknown values are ignored.
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

/// A device whose user code was entered. Only the browser has the code itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// The id of its device authorization; not a code.
    pub id: DeviceAuthorizationId,
    /// SHA-256 of the user code, hexadecimal.
    pub user_code_hash: String,
    /// The IP address of the device's request.
    pub address: Option<IpAddr>,
}

impl ResponseMode {
    /// The mode of a response type whose request names none (OAuth 2.0 Multiple Response Types section 2.1 and 5).
    #[must_use]
    pub fn default_of(response_type: &str) -> Self {
        let is_implicit = response_type.split(' ').any(|word| matches!(word, "token" | "id_token"));
        if is_implicit { Self::Fragment } else { Self::Query }
    }
}

impl AuthorizationRequest {
    /// Whether this prompt was requested.
    #[must_use]
    pub fn asks(&self, prompt: Prompt) -> bool {
        self.prompts.contains(&prompt)
    }

    /// Whether the sign-in is for the account page and not for an application.
    #[must_use]
    pub fn is_of_account_page(&self) -> bool {
        self.client_id == *ACCOUNT_PAGE
    }

    /// The application.
    #[must_use]
    pub fn application_id(&self) -> Option<&ApplicationId> {
        Some(&self.client_id).filter(|_| !self.is_of_account_page())
    }

    /// Whether this scope was requested.
    #[must_use]
    pub fn requests(&self, scope: &str) -> bool {
        self.scope.iter().any(|known| known == scope)
    }
}

/// The authorization that a code and its tokens represent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Authorized {
    /// See [`AuthorizationRequest::redirect_uri`].
    pub redirect_uri: String,
    /// See [`AuthorizationRequest::code_challenge`].
    pub code_challenge: Option<String>,
    /// See [`AuthorizationRequest::nonce`].
    pub nonce: Option<String>,
    /// The granted user scopes, and `offline_access`.
    pub scope: Vec<String>,
    /// The requested scopes of resources.
    pub resource_scope: Vec<String>,
    /// Resources that tokens may be requested for.
    pub resources: Vec<String>,
    /// What the user consented to for a third party; `None` for the operator's own applications.
    pub consented: Option<Consented>,
    /// The session in which it was authorized.
    pub session_id: Option<SessionId>,
    /// When the user signed in, Unix seconds.
    pub auth_time: i64,
    /// Authentication methods (`amr`, RFC 8176).
    pub amr: Vec<String>,
    /// See [`AuthorizationRequest::acr_values`].
    #[serde(default)]
    pub acr_values: Vec<String>,
    /// The sign-in or registration that started the session, or renewed it last.
    #[serde(default)]
    pub interaction: Option<SubmittedInteraction>,
}

/// What the user consented to for a third party besides user scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Consented {
    /// Scopes of resources, by indicator.
    pub resources: BTreeMap<String, Vec<String>>,
    /// Ids of organizations.
    pub organizations: Vec<String>,
}
