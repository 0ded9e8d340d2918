//! Bodies of `/api/organizations`.

use crate::applications::ApplicationView;
use crate::organization_roles::HeldRoleView;
use crate::tenant::Tenant;
use crate::users::UserFields;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::organization::{Branding, Color, EmailDomain, EmailDomains};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, SsoConnectorId, UserId};
use claimsmith_domain::name::Name;
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// An organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64
}))]
pub struct OrganizationView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// 12 characters.
    pub id: OrganizationId,
    pub name: String,
    pub description: Option<String>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    pub custom_data: Value,
    /// Whether members need a second factor.
    pub is_mfa_required: bool,
    /// The colours of its sign-in pages.
    pub color: Color,
    /// The pictures of its sign-in pages.
    pub branding: Branding,
    /// The style sheet of its sign-in pages.
    pub custom_css: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// An organization, and some of its members if they were asked for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64, "usersCount": 1,
    "featuredUsers": [{ "id": "q3v8k1znw2pd", "avatar": null, "name": "Ada Lovelace" }]
}))]
pub struct ListedOrganization {
    #[serde(flatten)]
    pub organization: OrganizationView,
    /// How many members it has; with `showFeatured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub users_count: Option<i64>,
    /// At most three of them; with `showFeatured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<FeaturedMemberView>, required = false)]
    pub featured_users: Option<Vec<FeaturedMemberView>>,
}

/// A member of an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FeaturedMemberView {
    pub id: UserId,
    pub avatar: Option<String>,
    pub name: Option<String>,
}

/// An organization of a user, with their roles in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64, "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub struct OrganizationOf {
    #[serde(flatten)]
    pub organization: OrganizationView,
    pub organization_roles: Vec<HeldRoleView>,
}

/// A new organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Acme", "description": "A customer", "customData": { "plan": "gold" },
    "color": { "primaryColor": "#0055aa" }, "branding": { "logoUrl": "https://acme.example.com/logo.png" }
}))]
pub struct CreateOrganization {
    pub name: Text<1, 128>,
    #[serde(default)]
    pub description: Option<Text<0, 256>>,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub custom_data: Map<String, Value>,
    /// Whether members need a second factor.
    #[serde(default)]
    pub is_mfa_required: bool,
    /// The colours of its sign-in pages.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    pub color: Option<Color>,
    /// The pictures of its sign-in pages.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    pub branding: Option<Branding>,
    /// The style sheet of its sign-in pages.
    #[serde(default)]
    pub custom_css: Option<Text<0, 65536>>,
}

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Acme", "description": null, "isMfaRequired": true }))]
pub struct UpdateOrganization {
    #[serde(default)]
    pub name: Given<Text<1, 128>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub description: Option<Option<Text<0, 256>>>,
    /// Replaced as a whole.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Object, required = false)]
    pub custom_data: Option<Map<String, Value>>,
    #[serde(default)]
    pub is_mfa_required: Given<bool>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    pub color: Option<Color>,
    /// What is left out of it stays; null takes a member away.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    pub branding: Option<Branding>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub custom_css: Option<Option<Text<0, 65536>>>,
}

impl Patch for UpdateOrganization {
    const MERGED: &'static Merged = &patch::ORGANIZATION;
}

/// A member of an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "q3v8k1znw2pd", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
    "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {}, "lastSignInAt": null,
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64,
    "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" }, "applicationId": null,
    "cimdClientId": null, "isSuspended": false,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub struct MemberView {
    #[serde(flatten)]
    pub user: UserFields,
    /// What they are in this organization.
    pub organization_roles: Vec<HeldRoleView>,
}

/// Users to become members.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub struct AddMembers {
    /// 1 to 1000.
    pub user_ids: IdList<UserId, 1>,
}

/// All the members.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub struct ReplaceMembers {
    /// At most 1000.
    pub user_ids: IdList<UserId, 0>,
}

/// The users of a request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub struct MemberIds {
    pub user_ids: Vec<UserId>,
}

/// Roles for members.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"], "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct RolesForMembers {
    /// 1 to 1000.
    pub user_ids: IdList<UserId, 1>,
    /// 1 to 1000; at most 10,000 pairs of user and role.
    pub organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// An application that belongs to an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "b5n8q1w4z7k0x3c6t9r2m", "name": "Nightly export", "description": null,
    "type": "MachineToMachine", "oidcClientMetadata": { "redirectUris": [], "postLogoutRedirectUris": [] },
    "customClientMetadata": {}, "protectedAppMetadata": null, "customData": {}, "isThirdParty": false,
    "appLevelAccessControlEnabled": false, "createdAt": 1_760_000_000_000_i64,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "exporter" }]
}))]
pub struct MemberApplicationView {
    #[serde(flatten)]
    pub application: ApplicationView,
    /// What it is in this organization.
    pub organization_roles: Vec<HeldRoleView>,
}

/// Machine-to-machine applications to belong to an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub struct AddApplications {
    /// 1 to 1000.
    pub application_ids: IdList<ApplicationId, 1>,
}

/// All the applications of an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub struct ReplaceApplications {
    /// At most 1000.
    pub application_ids: IdList<ApplicationId, 0>,
}

/// The applications of a request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub struct ApplicationIds {
    pub application_ids: Vec<ApplicationId>,
}

/// Roles for applications.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"], "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"]
}))]
pub struct RolesForApplications {
    /// 1 to 1000.
    pub application_ids: IdList<ApplicationId, 1>,
    /// 1 to 1000; at most 10,000 pairs of application and role.
    pub organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// Roles, by id or by name, or some by id and some by name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct ChosenRoles {
    /// At most 1000.
    #[serde(default)]
    pub organization_role_ids: Given<IdList<OrganizationRoleId, 0>>,
    /// At most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub organization_role_names: Option<Vec<Name<1, 128>>>,
}

/// The ids of the roles that a request chose.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct ChosenRoleIds {
    pub organization_role_ids: Vec<OrganizationRoleId>,
}

/// A domain whose people an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "emailDomain": "acme.example.com" }))]
pub struct AddEmailDomain {
    /// Kept in lower case.
    #[schema(value_type = String, max_length = 128)]
    pub email_domain: EmailDomain,
}

/// All the domains whose people an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "emailDomains": ["acme.example.com"] }))]
pub struct ReplaceEmailDomains {
    /// At most 1000; kept in lower case.
    #[schema(value_type = Vec<String>, max_items = 1000)]
    pub email_domains: EmailDomains,
}

/// A domain of an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "organizationId": "o6r2g9a4n1z8", "emailDomain": "acme.example.com"
}))]
pub struct EmailDomainView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub organization_id: OrganizationId,
    /// In lower case.
    pub email_domain: String,
}

/// More roles for whom an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct AddJitRoles {
    /// 1 to 1000.
    pub organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// All the roles for whom an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub struct ReplaceJitRoles {
    /// At most 1000.
    pub organization_role_ids: IdList<OrganizationRoleId, 0>,
}

/// More enterprise connectors whose users an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "ssoConnectorIds": ["e3x9s1t7a5m2q8w4z6y0b"] }))]
pub struct AddJitSsoConnectors {
    /// 1 to 1000.
    pub sso_connector_ids: IdList<SsoConnectorId, 1>,
}

/// All the enterprise connectors whose users an organization lets in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "ssoConnectorIds": ["e3x9s1t7a5m2q8w4z6y0b"] }))]
pub struct ReplaceJitSsoConnectors {
    /// At most 1000.
    pub sso_connector_ids: IdList<SsoConnectorId, 0>,
}

/// An enterprise connector whose users an organization lets in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e3x9s1t7a5m2q8w4z6y0b", "providerName": "OIDC", "connectorName": "Acme",
    "branding": { "displayName": "Acme" }, "createdAt": 1_760_000_000_000_i64
}))]
pub struct JitSsoConnectorView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: SsoConnectorId,
    pub provider_name: String,
    pub connector_name: String,
    /// Name and logos on the pages.
    #[schema(value_type = Object)]
    pub branding: Value,
    /// Unix milliseconds.
    pub created_at: i64,
}
