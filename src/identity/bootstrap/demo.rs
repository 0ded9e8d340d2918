//! Demo data: an API, a customer, a support engineer with passwords, and two applications that may exchange tokens.

use super::{DemoReport, Error, create_application, create_resource, create_role};
use claimsmith_config::Config;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_domain::random;
use claimsmith_services::passwords;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Json, Tx, roles};
use serde_json::json;

const RESOURCE: &str = "https://api.example.com";
const SCOPES: [(&str, &str); 2] = [("resource:read", "Read your data"), ("resource:write", "Change your data")];

/// Characters of a generated password: 95 bits.
const PASSWORD_CHARS: usize = 16;
/// Username of the demo customer.
pub const CUSTOMER: &str = "customer";
/// Username of the demo support engineer.
pub const ENGINEER: &str = "engineer";

/// The passwords of the customer and the engineer. Created before the transaction, since hashing is slow.
pub(super) struct DemoPasswords {
    customer: Password,
    engineer: Password,
}

struct Password {
    value: String,
    digest: String,
}

impl DemoPasswords {
    pub(super) async fn make() -> Result<Self, Error> {
        Ok(Self { customer: Password::make().await?, engineer: Password::make().await? })
    }
}

impl Password {
    async fn make() -> Result<Self, Error> {
        let value = random::secret(PASSWORD_CHARS)?;
        let digest = passwords::digest_at_least_cost(value.clone()).await?;
        Ok(Self { value, digest })
    }
}

pub(super) async fn create(
    tx: &mut Tx,
    config: &Config,
    passwords: DemoPasswords,
    now: i64,
) -> Result<DemoReport, Error> {
    let DemoPasswords { customer: for_customer, engineer: for_engineer } = passwords;
    let ttl = i64::try_from(config.tokens.access_token_ttl.as_secs()).unwrap_or(3600);
    let scope_ids = create_resource(tx, "Example API", RESOURCE, &SCOPES, ttl, now).await?;
    let customer_role = create_role(tx, "customer", RoleType::User, &scope_ids, now).await?;
    let engineer_role = create_role(tx, "support-engineer", RoleType::User, &scope_ids[..1], now).await?;
    let customer = (CUSTOMER, "Casey Customer", for_customer.digest);
    let customer = create_user(tx, customer, &customer_role, now).await?;
    let engineer = (ENGINEER, "Erin Engineer", for_engineer.digest);
    let engineer = create_user(tx, engineer, &engineer_role, now).await?;
    let (spa_client_id, _) = create_application(tx, "Demo single-page application", ApplicationType::Spa, now).await?;
    let (web_client_id, web_client_secret) =
        create_application(tx, "Demo web application", ApplicationType::Traditional, now).await?;
    Ok(DemoReport {
        resource: RESOURCE.to_owned(),
        scopes: SCOPES.map(|(name, _)| name.to_owned()).to_vec(),
        customer_user_id: customer,
        engineer_user_id: engineer,
        customer_password: Some(for_customer.value),
        engineer_password: Some(for_engineer.value),
        spa_client_id,
        web_client_id,
        web_client_secret: web_client_secret.unwrap_or_default(),
    })
}

/// Adds a user with a username, a name and a password hash; returns the id.
async fn create_user(
    tx: &mut Tx,
    (username, name, digest): (&str, &str, String),
    role_id: &RoleId,
    now: i64,
) -> Result<UserId, Error> {
    let user = User {
        id: random::id(12)?.into(),
        username: Some(username.to_owned()),
        primary_email: Some(format!("{username}@example.com")),
        primary_phone: None,
        password_digest: Some(digest),
        password_algorithm: Some(PasswordAlgorithm::Argon2id),
        name: Some(name.to_owned()),
        avatar: None,
        custom_data: Json(json!({})),
        identities: Json(json!({})),
        profile: Json(json!({})),
        application_id: None,
        is_suspended: false,
        last_sign_in_at: None,
        created_at: now,
        updated_at: now,
        revision: 1,
    };
    users::insert(tx, &user).await?;
    roles::assign_to_user(tx, &user.id, role_id).await?;
    Ok(user.id)
}
