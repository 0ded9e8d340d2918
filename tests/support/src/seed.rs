//! Test data beside the demo data, written through the repository functions.

use crate::TestServer;
use claimsmith_domain::authorization::request::{AuthorizationRequest, ResponseMode};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, ResourceId, ScopeId, SsoConnectorId, UserId};
use claimsmith_domain::random;
use claimsmith_services::tokens;
use claimsmith_storage::Json;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::organizations::role_scopes::RESOURCE_SCOPES;
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::users::sso_identities::{self, SsoIdentity};
use claimsmith_storage::users::{self, User};
use serde_json::json;

/// An authorization request of this application that asks for nothing.
#[must_use]
pub fn new_authorization_request(client_id: &ApplicationId) -> AuthorizationRequest {
    AuthorizationRequest {
        client_id: client_id.clone(),
        redirect_uri: "http://localhost:9999/callback".to_owned(),
        response_mode: ResponseMode::Query,
        state: None,
        nonce: None,
        scope: Vec::new(),
        resources: Vec::new(),
        code_challenge: None,
        prompts: Vec::new(),
        max_age: None,
        login_hint: None,
        one_time_token_hash: None,
        direct_sign_in: None,
        ui_locales: None,
        hinted_user: None,
        screen: None,
        acr_values: Vec::new(),
        organization_id: None,
        pushed_hash: None,
        device: None,
    }
}

/// A user without anything.
#[must_use]
pub fn new_user() -> User {
    User {
        id: random::id(12).unwrap().into(),
        username: None,
        primary_email: None,
        primary_phone: None,
        password_digest: None,
        password_algorithm: None,
        name: None,
        avatar: None,
        custom_data: Json(json!({})),
        identities: Json(json!({})),
        profile: Json(json!({})),
        application_id: None,
        is_suspended: false,
        last_sign_in_at: None,
        created_at: 0,
        updated_at: 0,
        revision: 1,
    }
}

/// An application of this type that may exchange tokens.
#[must_use]
pub fn new_application(kind: ApplicationType) -> Application {
    Application {
        id: random::id(21).unwrap().into(),
        name: "Test application".to_owned(),
        description: None,
        kind,
        oidc_client_metadata: Json(OidcClientMetadata::default()),
        custom_client_metadata: Json(CustomClientMetadata {
            allow_token_exchange: Some(true),
            ..CustomClientMetadata::default()
        }),
        custom_data: Json(json!({})),
        is_third_party: false,
        app_level_access_control_enabled: false,
        created_at: 0,
    }
}

/// A secret with this value, stored as the server would.
#[must_use]
pub fn new_secret(application_id: &ApplicationId, value: &str) -> ApplicationSecret {
    ApplicationSecret {
        application_id: application_id.to_owned(),
        name: random::id(8).unwrap(),
        hash: tokens::hash(value),
        created_at: 0,
        expires_at: None,
    }
}

/// An API resource of this indicator.
#[must_use]
pub fn new_resource(indicator: &str) -> Resource {
    Resource {
        id: random::id(21).unwrap().into(),
        name: indicator.to_owned(),
        indicator: indicator.to_owned(),
        is_default: false,
        access_token_ttl: 3600,
        created_at: 0,
    }
}

/// A scope of a resource.
#[must_use]
pub fn new_scope(resource_id: &ResourceId, name: &str) -> Scope {
    Scope {
        id: random::id(21).unwrap().into(),
        resource_id: resource_id.to_owned(),
        name: name.to_owned(),
        description: None,
        created_at: 0,
    }
}

/// A role for users, or for machine-to-machine applications.
#[must_use]
pub fn new_role(kind: &str) -> Role {
    Role {
        id: random::id(21).unwrap().into(),
        name: random::id(8).unwrap(),
        description: "Test role".to_owned(),
        kind: RoleType::parse(kind).unwrap(),
        is_default: false,
        created_at: 0,
    }
}

/// An organization without members.
#[must_use]
pub fn new_organization() -> Organization {
    Organization {
        id: random::id(12).unwrap().into(),
        name: "Test organization".to_owned(),
        description: None,
        custom_data: Json(json!({ "plan": "gold" })),
        is_mfa_required: false,
        color: Json(Color::default()),
        branding: Json(Branding::default()),
        custom_css: None,
        created_at: 0,
    }
}

/// An organization role for users.
#[must_use]
pub fn new_organization_role(name: &str) -> OrganizationRole {
    OrganizationRole {
        id: random::id(21).unwrap().into(),
        name: name.to_owned(),
        description: None,
        kind: RoleType::User,
    }
}

/// An organization scope.
#[must_use]
pub fn new_organization_scope(name: &str) -> OrganizationScope {
    OrganizationScope { id: random::id(21).unwrap().into(), name: name.to_owned(), description: None }
}

impl TestServer {
    /// Gives a user the account `ada-7` at an enterprise connector of its own; answers the connector.
    pub async fn add_company_of(&self, user_id: &UserId) -> SsoConnectorId {
        let body = json!({ "providerName": "OIDC", "connectorName": random::id(8).unwrap() });
        let made = self.management().await.post("/api/sso-connectors", body).await.expect(200);
        let identity = SsoIdentity {
            id: random::id(21).unwrap(),
            user_id: user_id.clone(),
            sso_connector_id: made.text("id").into(),
            issuer: "https://id.test".to_owned(),
            identity_id: "ada-7".to_owned(),
            detail: Json(json!({ "id": "ada-7", "email": "ada@acme.example" })),
            linked_by_owner: false,
            created_at: self.clock.now_ms(),
            updated_at: self.clock.now_ms(),
        };
        let mut tx = self.begin().await;
        assert!(sso_identities::link(&mut tx, &identity).await.unwrap());
        tx.commit().await.unwrap();
        identity.sso_connector_id
    }

    /// Adds a user without roles; answers the id.
    pub async fn add_user(&self) -> UserId {
        let user = new_user();
        let mut tx = self.begin().await;
        users::insert(&mut tx, &user).await.unwrap();
        tx.commit().await.unwrap();
        user.id
    }

    /// Adds a user with the roles of another one.
    pub async fn add_user_like(&self, other: &UserId) -> UserId {
        let id = self.add_user().await;
        let mut tx = self.begin().await;
        for role in roles::of_user(&mut tx, other).await.unwrap() {
            roles::assign_to_user(&mut tx, &id, &role.id).await.unwrap();
        }
        tx.commit().await.unwrap();
        id
    }

    /// Suspends or reactivates a user.
    pub async fn set_suspended(&self, user_id: &UserId, is_suspended: bool) {
        let mut tx = self.begin().await;
        users::set_suspended(&mut tx, user_id, is_suspended, self.clock.now_ms()).await.unwrap().unwrap();
        tx.commit().await.unwrap();
    }

    /// Deletes a user.
    pub async fn delete_user(&self, user_id: &UserId) {
        let mut tx = self.begin().await;
        assert!(users::delete(&mut tx, user_id).await.unwrap());
        tx.commit().await.unwrap();
    }

    /// Adds an application of this type that may exchange tokens, with a secret if it is confidential; answers both.
    pub async fn add_application(&self, kind: ApplicationType) -> (ApplicationId, String) {
        self.add(new_application(kind)).await
    }

    /// Adds this application, with a secret if it is confidential; answers id and secret.
    pub async fn add(&self, application: Application) -> (ApplicationId, String) {
        let secret = random::secret(32).unwrap();
        let mut tx = self.begin().await;
        applications::insert(&mut tx, &application).await.unwrap();
        if application.kind.is_confidential() {
            applications::insert_secret(&mut tx, &new_secret(&application.id, &secret)).await.unwrap();
        }
        tx.commit().await.unwrap();
        (application.id, secret)
    }

    /// Deletes an application.
    pub async fn delete_application(&self, id: &ApplicationId) {
        let mut tx = self.begin().await;
        assert!(applications::delete(&mut tx, id).await.unwrap());
        tx.commit().await.unwrap();
    }

    /// Adds a resource with scopes; answers the scopes' ids.
    pub async fn add_resource(&self, resource: Resource, scopes: &[&str]) -> Vec<ScopeId> {
        let mut tx = self.begin().await;
        resources::insert(&mut tx, &resource).await.unwrap();
        let mut ids = Vec::new();
        for name in scopes {
            let scope = new_scope(&resource.id, name);
            resources::insert_scope(&mut tx, &scope).await.unwrap();
            ids.push(scope.id);
        }
        tx.commit().await.unwrap();
        ids
    }

    /// Lets an application hold these scopes, through a role of its own.
    pub async fn let_application_hold(&self, application_id: &ApplicationId, scope_ids: &[ScopeId]) {
        let role = new_role("MachineToMachine");
        let mut tx = self.begin().await;
        roles::insert(&mut tx, &role).await.unwrap();
        for scope_id in scope_ids {
            roles::add_scope(&mut tx, &role.id, scope_id).await.unwrap();
        }
        roles::assign_to_application(&mut tx, application_id, &role.id).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Lets a user hold these scopes, through a role of their own.
    pub async fn let_user_hold(&self, user_id: &UserId, scope_ids: &[ScopeId]) {
        let role = new_role("User");
        let mut tx = self.begin().await;
        roles::insert(&mut tx, &role).await.unwrap();
        for scope_id in scope_ids {
            roles::add_scope(&mut tx, &role.id, scope_id).await.unwrap();
        }
        roles::assign_to_user(&mut tx, user_id, &role.id).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Adds an organization with one member, who has a role there that carries these scopes; answers its id.
    pub async fn add_organization_of(&self, user_id: &UserId, scope_ids: &[ScopeId]) -> OrganizationId {
        let organization = new_organization();
        let role = new_organization_role(&random::id(8).unwrap());
        let (user_ids, role_ids) = ([user_id.to_owned()], [role.id.clone()]);
        let mut tx = self.begin().await;
        organizations::insert(&mut tx, &organization).await.unwrap();
        organizations::members::add(&mut tx, &organization.id, &user_ids).await.unwrap();
        organizations::roles::insert(&mut tx, &role).await.unwrap();
        RESOURCE_SCOPES.add(&mut tx, &role.id, scope_ids).await.unwrap();
        organizations::members::add_roles(&mut tx, &organization.id, user_id, &role_ids).await.unwrap();
        tx.commit().await.unwrap();
        organization.id
    }
}
