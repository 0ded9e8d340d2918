//! Creates users.

use super::avatar;
use super::external::{self, ExternalIdentity};
use super::identifiers::{self, check_username, explain, refuse_taken};
use super::password::PasswordDigest;
use super::{AccountRefusal, own_data, user_view};
use claimsmith_api::users::UserView;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, RoleId};
use claimsmith_domain::random;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Json, roles};
use serde_json::{Map, Value, json};

/// The initial data of a user; every field is optional.
#[derive(Clone, Debug, Default)]
pub struct NewUser {
    /// Unique.
    pub username: Option<String>,
    /// Unique.
    pub primary_email: Option<String>,
    /// Unique in any notation; stored as digits in international format.
    pub primary_phone: Option<String>,
    /// The hash of the password.
    pub password: Option<PasswordDigest>,
    /// Display name.
    pub name: Option<String>,
    /// An http or https URL.
    pub avatar: Option<String>,
    /// Custom data.
    pub custom_data: Map<String, Value>,
    /// Standard claims.
    pub profile: Value,
    /// The application through which they registered.
    pub application_id: Option<ApplicationId>,
    /// Whether the user is created suspended.
    pub is_suspended: bool,
    /// Linked accounts at connectors.
    pub identities: Vec<ExternalIdentity>,
}

/// Creates a user with every default role: `User.Created`, and `User.Roles.Updated` if there are such roles.
pub async fn create(work: &mut UnitOfWork, new: NewUser) -> Result<UserView, AccountRefusal> {
    let (user, defaults) = insert(work, new).await?;
    tell(work, user, &defaults).await
}

/// Creates users in one transaction, with the same checks as a single one. Returns the refusal of each user that was
/// not created; an error means that the transaction cannot be committed.
pub async fn create_each(
    work: &mut UnitOfWork,
    new: Vec<NewUser>,
) -> Result<Vec<Option<AccountRefusal>>, AccountRefusal> {
    let defaults = default_roles(work).await?;
    let mut refusals = Vec::with_capacity(new.len());
    for one in new {
        refusals.push(match insert_with(work, one, &defaults).await {
            Ok(user) => {
                tell(work, user, &defaults).await?;
                None
            }
            // Another request wrote at the same time, or the database failed.
            Err(refusal @ (AccountRefusal::Conflict | AccountRefusal::Failed(_))) => return Err(refusal),
            Err(refusal) => Some(refusal),
        });
    }
    Ok(refusals)
}

async fn tell(work: &mut UnitOfWork, user: User, defaults: &[RoleId]) -> Result<UserView, AccountRefusal> {
    let view = user_view(user);
    work.emit(&Event::new(EventType::UserCreated, 200_u16).data(&view)?).await?;
    if !defaults.is_empty() {
        let event = Event::new(EventType::UserRolesUpdated, 200_u16);
        work.emit(&event.of("userId", &view.fields.id).ids("addedRoleIds", defaults)).await?;
    }
    Ok(view)
}

async fn default_roles(work: &mut UnitOfWork) -> Result<Vec<RoleId>, AccountRefusal> {
    Ok(roles::defaults(work).await?.into_iter().map(|role| role.id).collect())
}

/// Inserts a user with the default roles, which it returns, and the audit entry, without an event.
pub(super) async fn insert(work: &mut UnitOfWork, new: NewUser) -> Result<(User, Vec<RoleId>), AccountRefusal> {
    let defaults = default_roles(work).await?;
    Ok((insert_with(work, new, &defaults).await?, defaults))
}

async fn insert_with(work: &mut UnitOfWork, mut new: NewUser, defaults: &[RoleId]) -> Result<User, AccountRefusal> {
    let identities = std::mem::take(&mut new.identities);
    let mut user = user(new, work.now())?;
    if work.is_by_its_person() {
        own_data::check(&user, 0)?;
    }
    check_username(work, None, &mut user).await?;
    refuse_taken(work, &user).await?;
    if let Err(error) = users::insert(work, &user).await {
        return Err(explain(work, error, &user).await);
    }
    if user.avatar.is_some() {
        avatar::choose(work, &user.id, user.avatar.as_deref()).await?;
    }
    roles::assign_all_to_user(work, &user.id, defaults).await?;
    work.audit(work.key(AuditOperation::UserCreate), json!({ "userId": user.id })).await?;
    if !identities.is_empty() {
        for identity in identities {
            external::link(work, &mut user, identity).await?;
        }
        users::update(work, &user).await?;
    }
    Ok(user)
}

fn user(new: NewUser, now: i64) -> Result<User, AccountRefusal> {
    identifiers::check_email(None, new.primary_email.as_deref())?;
    let (password_digest, password_algorithm) = match new.password {
        Some(PasswordDigest { digest, algorithm }) => (Some(digest), Some(algorithm)),
        None => (None, None),
    };
    Ok(User {
        id: random::id(12)?.into(),
        username: new.username,
        primary_email: new.primary_email,
        primary_phone: new.primary_phone.as_deref().map(identifiers::phone).transpose()?,
        password_digest,
        password_algorithm,
        name: new.name,
        avatar: new.avatar,
        custom_data: Json(Value::Object(new.custom_data)),
        identities: Json(json!({})),
        profile: Json(new.profile),
        application_id: new.application_id,
        is_suspended: new.is_suspended,
        last_sign_in_at: None,
        created_at: now,
        updated_at: now,
        revision: 1,
    })
}
