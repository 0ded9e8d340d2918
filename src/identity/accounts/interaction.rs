//! Changes that users make to their own account during sign-in or registration: the events name the interaction.

use super::change::begin_update;
use super::create::{NewUser, insert};
use super::external::ExternalIdentity;
use super::factors::add_staged_factor;
use super::identities::link_identity;
use super::passkeys;
use super::password::PasswordDigest;
use super::profile_fields::merge;
use super::{AccountRefusal, identifiers, signed_in, user_fields};
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::staged_factors::{StagedFactor, StagedPasskey};
use claimsmith_services::encryption::Cipher;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::{Event, Interaction};
use claimsmith_storage::users::User;
use serde_json::{Map, Value};

/// Creates a registering user: `User.Created`, and `User.Roles.Updated` if there are default roles. `during` returns
/// the interaction of the events.
pub async fn register(
    work: &mut UnitOfWork,
    new: NewUser,
    during: impl FnOnce(&UserId) -> Interaction,
) -> Result<User, AccountRefusal> {
    let (user, defaults) = insert(work, new).await?;
    let during = during(&user.id);
    let event = Event::during(EventType::UserCreated, during.clone());
    work.emit(&event.data(&user_fields(user.clone()))?).await?;
    if !defaults.is_empty() {
        let event = Event::during(EventType::UserRolesUpdated, during);
        work.emit(&event.of("userId", &user.id).ids("addedRoleIds", &defaults)).await?;
    }
    Ok(user)
}

/// The data from an interaction to add to a user.
#[derive(Default)]
pub struct Completion {
    /// A username.
    pub username: Option<String>,
    /// A password.
    pub password: Option<PasswordDigest>,
    /// A verified email address.
    pub primary_email: Option<String>,
    /// A verified phone number.
    pub primary_phone: Option<String>,
    /// Passkeys.
    pub passkeys: Vec<StagedPasskey>,
    /// A display name.
    pub name: Option<String>,
    /// The URL of a picture.
    pub avatar: Option<String>,
    /// Standard claims.
    pub profile: Map<String, Value>,
    /// Custom data.
    pub custom_data: Map<String, Value>,
    /// Accounts at connectors.
    pub identities: Vec<ExternalIdentity>,
    /// Second factors, backup codes last.
    pub factors: Vec<(FactorType, StagedFactor)>,
}

/// Adds missing data and second factors to a user: `User.Data.Updated`.
pub async fn complete(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    id: &UserId,
    given: Completion,
    during: Interaction,
) -> Result<User, AccountRefusal> {
    for passkey in given.passkeys {
        passkeys::add(work, id, passkey, None).await?;
    }
    let mut update = begin_update(work, id).await?;
    if given.username.is_some() {
        update.user.username = given.username;
    }
    if given.primary_email.is_some() {
        update.user.primary_email = given.primary_email;
    }
    if let Some(phone) = &given.primary_phone {
        update.user.primary_phone = Some(identifiers::phone(phone)?);
    }
    if let Some(PasswordDigest { digest, algorithm }) = given.password {
        update.user.password_digest = Some(digest);
        update.user.password_algorithm = Some(algorithm);
    }
    if given.name.is_some() {
        update.user.name = given.name;
    }
    if given.avatar.is_some() {
        update.user.avatar = given.avatar;
    }
    merge(&mut update.user.profile, given.profile);
    merge(&mut update.user.custom_data, given.custom_data);
    for identity in given.identities {
        link_identity(&mut update, identity).await?;
    }
    let user = update.save_during(AuditOperation::UserUpdate, during).await?;
    // After the address is written: backup codes need another factor, which may be codes to an address that is new.
    for (kind, staged) in given.factors {
        add_staged_factor(work, cipher, id, kind, staged).await?;
    }
    Ok(user)
}

/// Resets the forgotten password of a user: `User.Data.Updated`. Ends all their sessions.
pub async fn reset_password(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
    during: Interaction,
) -> Result<User, AccountRefusal> {
    let mut update = begin_update(work, id).await?;
    signed_in::end(update.work(), id).await?;
    update.user.password_digest = Some(password.digest);
    update.user.password_algorithm = Some(password.algorithm);
    update.save_during(AuditOperation::UserSetPassword, during).await
}
