//! Updates, suspends and deletes users.

use super::avatar;
use super::identifiers::{check_email, check_username, explain, identifiers_of, refuse_taken};
use super::signed_in;
use super::trusted_devices::end_trusted_devices;
use super::{AccountRefusal, own_data, user_fields, user_view};
use claimsmith_api::users::UserView;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::{Event, Interaction};
use claimsmith_storage::users::{self, Identifiers, User};
use serde::Serialize;
use serde_json::{Value, json};

/// A user under change, locked against concurrent changes.
pub struct UserUpdate<'w> {
    work: &'w mut UnitOfWork,
    before: Identifiers,
    avatar_before: Option<String>,
    bytes_before: usize,
    /// The new state of the user.
    pub user: User,
}

/// Locks a user for a change.
pub async fn begin_update<'w>(work: &'w mut UnitOfWork, id: &UserId) -> Result<UserUpdate<'w>, AccountRefusal> {
    let user = users::find_to_change(work, id).await?;
    let user = user.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    let (before, avatar_before) = (identifiers_of(&user), user.avatar.clone());
    Ok(UserUpdate { work, before, avatar_before, bytes_before: own_data::bytes_of(&user), user })
}

impl UserUpdate<'_> {
    /// The transaction of the change.
    pub fn work(&mut self) -> &mut UnitOfWork {
        self.work
    }

    /// Writes the change with its audit entry, such as `User.SetPassword`, and the event `User.Data.Updated` with the
    /// whole user.
    pub async fn save(mut self, what: AuditOperation, details: Value, status: u16) -> Result<UserView, AccountRefusal> {
        self.write(what, details).await?;
        let view = user_view(self.user);
        self.work.emit(&Event::new(EventType::UserDataUpdated, status).data(&view)?).await?;
        Ok(view)
    }

    /// Like `save`, but the event contains only this part of the user.
    pub async fn save_part(
        mut self,
        what: AuditOperation,
        details: Value,
        part: &impl Serialize,
    ) -> Result<(), AccountRefusal> {
        self.write(what, details).await?;
        Ok(self.work.emit(&Event::new(EventType::UserDataUpdated, 200_u16).data(part)?).await?)
    }

    /// Like `save`, for a change during an interaction.
    pub(super) async fn save_during(
        mut self,
        what: AuditOperation,
        interaction: Interaction,
    ) -> Result<User, AccountRefusal> {
        self.write(what, json!({})).await?;
        let event = Event::during(EventType::UserDataUpdated, interaction);
        self.work.emit(&event.data(&user_fields(self.user.clone()))?).await?;
        Ok(self.user)
    }

    async fn write(&mut self, what: AuditOperation, details: Value) -> Result<(), AccountRefusal> {
        self.user.updated_at = self.work.now();
        if self.work.is_by_its_person() {
            own_data::check(&self.user, self.bytes_before)?;
        }
        if identifiers_of(&self.user) != self.before {
            check_email(self.before.primary_email.as_deref(), self.user.primary_email.as_deref())?;
            check_username(self.work, self.before.username.as_deref(), &mut self.user).await?;
            refuse_taken(self.work, &self.user).await?;
        }
        if let Err(error) = users::update(self.work, &self.user).await {
            return Err(explain(self.work, error, &self.user).await);
        }
        if self.user.avatar != self.avatar_before {
            avatar::choose(self.work, &self.user.id, self.user.avatar.as_deref()).await?;
        }
        // Codes sent to this address are a second factor, so trust in devices ends when it changes.
        let reaches_others = self.before.primary_email != self.user.primary_email
            || self.before.primary_phone != self.user.primary_phone;
        if reaches_others {
            end_trusted_devices(self.work, &self.user.id, 0).await?;
        }
        let mut about = json!({ "userId": self.user.id });
        if let (Some(about), Value::Object(details)) = (about.as_object_mut(), details) {
            about.extend(details);
        }
        Ok(self.work.audit(self.work.key(what), about).await?)
    }
}

/// Emits `User.Data.Updated` with the whole user, for a change outside of the user's row.
pub async fn tell_update(work: &mut UnitOfWork, id: &UserId, status: u16) -> Result<(), AccountRefusal> {
    let mut user = users::find_to_change(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    user.updated_at = work.now();
    users::update(work, &user).await?;
    Ok(work.emit(&Event::new(EventType::UserDataUpdated, status).data(&user_view(user))?).await?)
}

/// Suspends or reactivates a user: `User.SuspensionStatus.Updated`. Suspension ends the sessions, and tokens are
/// refused from the commit on.
pub async fn set_suspended(work: &mut UnitOfWork, id: &UserId, is_suspended: bool) -> Result<UserView, AccountRefusal> {
    let now = work.now();
    let user = users::set_suspended(work, id, is_suspended, now).await?;
    let user = user.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    if is_suspended {
        signed_in::end(work, id).await?;
    }
    let details = json!({ "userId": user.id, "isSuspended": user.is_suspended });
    work.audit(work.key(AuditOperation::UserSetSuspended), details).await?;
    let view = user_view(user);
    work.emit(&Event::new(EventType::UserSuspensionStatusUpdated, 200_u16).data(&view)?).await?;
    Ok(view)
}

/// Deletes a user with all data that belongs to them: `User.Deleted`. Tokens are refused from the commit on.
pub async fn delete(work: &mut UnitOfWork, id: &UserId) -> Result<(), AccountRefusal> {
    let user = users::find_to_change(work, id).await?.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?;
    // Before the deletion, which would also delete the data that logout notifications need.
    signed_in::end(work, id).await?;
    users::delete(work, id).await?;
    work.audit(work.key(AuditOperation::UserDelete), json!({ "userId": id })).await?;
    Ok(work.emit(&Event::new(EventType::UserDeleted, 204_u16).data(&user_fields(user))?).await?)
}
