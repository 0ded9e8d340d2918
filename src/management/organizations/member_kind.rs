//! Common parts of users and machine-to-machine applications as members of organizations: the check that they are
//! members, and the records of changed members and roles.

use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::{LinkChanges, Linked, Links, Tx, organizations};
use claimsmith_web::error::ApiError;
use serde::Serialize;
use serde_json::json;

/// One kind of member, with its messages and keys.
pub(super) struct MemberKind<M> {
    members: Links<OrganizationId, M>,
    /// The message for a subject that is not a member.
    not_a_member: &'static str,
    /// Keys of the audit log.
    members_changed: AuditKey,
    roles_changed: AuditKey,
    /// The names of the lists of ids, in entries of the audit log and in events.
    added_ids: &'static str,
    removed_ids: &'static str,
    /// The name of the id of the member whose roles changed.
    changed_id: &'static str,
}

/// Users.
pub(super) const USERS: MemberKind<UserId> = MemberKind {
    members: organizations::members::MEMBERS,
    not_a_member: "The user is not a member of the organization.",
    members_changed: AuditKey::ManagementOrganizationChangeUsers,
    roles_changed: AuditKey::ManagementOrganizationChangeUserRoles,
    added_ids: "addedUserIds",
    removed_ids: "removedUserIds",
    changed_id: "userId",
};

/// Machine-to-machine applications.
pub(super) const APPLICATIONS: MemberKind<ApplicationId> = MemberKind {
    members: organizations::applications::MEMBERS,
    not_a_member: "The application does not belong to the organization.",
    members_changed: AuditKey::ManagementOrganizationChangeApplications,
    roles_changed: AuditKey::ManagementOrganizationChangeApplicationRoles,
    added_ids: "addedApplicationIds",
    removed_ids: "removedApplicationIds",
    changed_id: "changedApplicationId",
};

impl<M: Linked + Serialize> MemberKind<M> {
    /// 422 unless all of these are members of the organization.
    pub(super) async fn require(&self, tx: &mut Tx, id: &OrganizationId, members: &[M]) -> Result<(), ApiError> {
        if self.members.among(tx, id, members).await?.len() < members.len() {
            return Err(ApiError::new(ApiCode::OrganizationRequireMembership, self.not_a_member));
        }
        Ok(())
    }

    /// Records added and removed members, with the event, and commits. `status`: of the response.
    pub(super) async fn commit_members(
        &self,
        mut tx: UnitOfWork,
        id: &OrganizationId,
        changes: LinkChanges<M>,
        status: StatusCode,
    ) -> Result<(), ApiError> {
        let LinkChanges { added, removed } = changes;
        let details = json!({ "organizationId": id, self.added_ids: added, self.removed_ids: removed });
        tx.audit(self.members_changed, details).await?;
        let event = Event::new(EventType::OrganizationMembershipUpdated, status)
            .of("organizationId", id)
            .ids(self.added_ids, &added)
            .ids(self.removed_ids, &removed);
        tx.emit(&event).await?;
        Ok(tx.commit().await?)
    }

    /// Records added and removed roles of a member, and commits.
    pub(super) async fn commit_roles(
        &self,
        mut tx: UnitOfWork,
        id: &OrganizationId,
        member: &M,
        changes: LinkChanges<OrganizationRoleId>,
    ) -> Result<(), ApiError> {
        let details = json!({
            "organizationId": id, self.changed_id: member, "addedOrganizationRoleIds": changes.added,
            "removedOrganizationRoleIds": changes.removed,
        });
        tx.audit(self.roles_changed, details).await?;
        Ok(tx.commit().await?)
    }
}
