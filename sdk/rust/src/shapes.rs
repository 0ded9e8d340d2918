//! Written by sdk/schema/generate from plugin.schema.json. Not to be edited.

use serde::{Serialize, Deserialize};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

pub type EnvironmentVariables = BTreeMap<String, String>;
pub type Claims = BTreeMap<String, Option<serde_json::Value>>;

/// One request for claims.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimsRequest {
    pub context: Context,
    pub environment_variables: BTreeMap<String, String>,
    pub token: Token,
}

/// Who and what the token is about. What does not apply is absent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Context {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application: Option<Application>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<Grant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Interaction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<Organization>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<User>,
}

/// The application that asked, without its secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Settings of its tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_client_metadata: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_third_party: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oidc_client_metadata: Option<OidcClientMetadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// SPA, Native, Traditional or MachineToMachine.
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application_type: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OidcClientMetadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_logout_redirect_uris: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_uris: Option<Vec<String>>,
}

/// How the token came to be asked for; of token exchanges of stored subject tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// What was sent as context with the request for the subject token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_token_context: Option<BTreeMap<String, Option<serde_json::Value>>>,
    /// urn:ietf:params:oauth:grant-type:token-exchange
    #[serde(rename = "type")]
    pub grant_type: String,
}

/// The sign-in or registration that led to the token; of tokens of people who signed in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interaction {
    /// SignIn or Register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interaction_event: Option<String>,
    /// Who signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_records: Option<Vec<VerificationRecord>>,
}

/// How somebody proved who they are, without secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VerificationRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<VerifiedIdentifier>,
    /// Password or NewPasswordIdentity; further types may be added.
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_record_type: Option<String>,
    /// Absent where there was nothing to prove.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

/// What they typed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VerifiedIdentifier {
    /// username, email or phone.
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_identifier_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The organization that the token is for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The user whom the token represents.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cimd_client_id: Option<String>,
    /// Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_password: Option<bool>,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identities: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_suspended: Option<bool>,
    /// Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<i64>,
    /// Such as Totp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfa_verification_factors: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_roles: Option<Vec<OrganizationRole>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organizations: Option<Vec<UserOrganization>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<BTreeMap<String, Option<serde_json::Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<Role>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sso_identities: Option<Vec<SsoIdentity>>,
    /// Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

/// A role of the user in an organization.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationRole {
    pub organization_id: String,
    pub role_id: String,
    pub role_name: String,
}

/// An organization of which the user is a member.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UserOrganization {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub id: String,
    pub name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Role {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<Scope>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<Resource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
}

/// The API to which a scope belongs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token_ttl: Option<i64>,
    pub id: String,
    /// What tokens for it name as their audience.
    pub indicator: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_default: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
}

/// Who the user is at an identity provider of an enterprise.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SsoIdentity {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<BTreeMap<String, Option<serde_json::Value>>>,
    pub identity_id: String,
    pub issuer: String,
}

/// The token as far as it is known before it is signed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// The user whom it represents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// The API that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    /// The application that asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<TokenExtra>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant_id: Option<String>,
    /// The grant type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gty: Option<String>,
    /// The token's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
    /// AccessToken, ClientCredentials or IdToken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Scopes, separated by spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// Of a token exchange.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Actor>,
    /// The subject token that was exchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_token_id: Option<String>,
}

/// Who acts (RFC 8693 section 4.1).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Actor {
    pub sub: String,
}

/// One webhook delivery, before it is sent for the first time.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The webhook-id, the same for every attempt.
    pub delivery_id: String,
    pub environment_variables: BTreeMap<String, String>,
    pub event: Event,
    pub hook: Hook,
}

/// The body as it would be sent if nobody changed it. Events have more members, each of its
/// own.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// The entity as it is after the change; null where there is none.
    pub data: Option<serde_json::Value>,
    /// Such as User.Created.
    pub event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_id: Option<String>,
}

/// Where the delivery goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hook {
    pub id: String,
    pub name: String,
    pub url: String,
}

/// What a transform answers of a delivery that is sent. What is left out stays as it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Changed {
    /// A text is sent as it is, an object or a list as JSON.
    pub body: Option<serde_json::Value>,
    /// Set over the hook's own. Those of the connection, webhook-* and signatures are the
    /// server's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// Where below the hook's own path, without a leading slash and a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What a transform answers of a delivery that is not sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dropped {
    /// The reason, which is kept with the delivery.
    pub drop: String,
}

/// One message to a person.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutgoingMessage {
    /// Email or Sms; there may be more.
    pub channel: String,
    /// The code to type in. A message has either a code or a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub content: MessageContent,
    pub context: MessageContext,
    pub environment_variables: BTreeMap<String, String>,
    /// What it is for, such as SignIn or ForgotPassword; there may be more.
    pub event: String,
    /// The same at every attempt, so that a provider can tell a repeated message.
    pub id: String,
    /// The language of whoever gets it, such as de or pt-BR.
    pub language: String,
    /// The link to open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// An email address, or a phone number such as +16502530000.
    pub recipient: String,
}

/// What a message says, in the operator's words or the built-in ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageContent {
    /// Of an e-mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// Of an e-mail: where answers go, if the template says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Of an e-mail: the sender's name, if the template says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send_from: Option<String>,
    /// Of an e-mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Plain text; absent where an operator's template of an e-mail is HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Who and what a message is about, as far as it is known.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MessageContext {
    /// The application that somebody signs in to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application: Option<BTreeMap<String, Option<serde_json::Value>>>,
    /// Who invites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inviter: Option<BTreeMap<String, Option<serde_json::Value>>>,
    /// The address that asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// The organization that somebody is invited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<BTreeMap<String, Option<serde_json::Value>>>,
    /// Who gets the message, as webhooks show users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<BTreeMap<String, Option<serde_json::Value>>>,
}

/// What a message plugin answers: the request that sends the message.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MessageRequest {
    /// A text is sent as it is, an object or a list as JSON.
    pub body: Option<serde_json::Value>,
    /// Those of the connection are the server's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// POST where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// On a host that the operator granted.
    pub url: String,
}
