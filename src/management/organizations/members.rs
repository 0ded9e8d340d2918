//! Users and machine-to-machine applications as members of organizations: their links and those of their roles, and
//! the check that they are members.

use crate::links::{LinkEvent, LinkFamily};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, UserId};
use claimsmith_storage::organizations::{applications, members};
use claimsmith_storage::{Linked, Links, Tx};
use claimsmith_web::error::ApiError;

/// Maximum pairs of member and role per request.
pub(super) const MAX_PAIRS: usize = 10_000;

/// Users.
pub(super) const USERS: LinkFamily<OrganizationId, UserId> = LinkFamily {
    links: members::MEMBERS,
    audit_key: AuditKey::ManagementOrganizationChangeUsers,
    owner: &["organizationId"],
    changes: ["addedUserIds", "removedUserIds"],
    event: LinkEvent::Detailed(EventType::OrganizationMembershipUpdated),
};

/// The roles of users.
pub(super) const USER_ROLES: LinkFamily<(OrganizationId, UserId), OrganizationRoleId> = LinkFamily {
    links: members::ROLES,
    audit_key: AuditKey::ManagementOrganizationChangeUserRoles,
    owner: &["organizationId", "userId"],
    changes: ["addedOrganizationRoleIds", "removedOrganizationRoleIds"],
    event: LinkEvent::Detailed(EventType::OrganizationMembershipRolesUpdated),
};

/// Machine-to-machine applications.
pub(super) const APPLICATIONS: LinkFamily<OrganizationId, ApplicationId> = LinkFamily {
    links: applications::MEMBERS,
    audit_key: AuditKey::ManagementOrganizationChangeApplications,
    owner: &["organizationId"],
    changes: ["addedApplicationIds", "removedApplicationIds"],
    event: LinkEvent::Detailed(EventType::OrganizationMembershipUpdated),
};

/// The roles of applications.
pub(super) const APPLICATION_ROLES: LinkFamily<(OrganizationId, ApplicationId), OrganizationRoleId> = LinkFamily {
    links: applications::ROLES,
    audit_key: AuditKey::ManagementOrganizationChangeApplicationRoles,
    owner: &["organizationId", "changedApplicationId"],
    changes: ["addedOrganizationRoleIds", "removedOrganizationRoleIds"],
    event: LinkEvent::Nothing,
};

/// 422 unless all of these users are members of the organization.
pub(super) async fn require_users(tx: &mut Tx, id: &OrganizationId, users: &[UserId]) -> Result<(), ApiError> {
    require(tx, USERS.links, id, users, "The user is not a member of the organization.").await
}

/// 422 unless all of these applications belong to the organization.
pub(super) async fn require_applications(
    tx: &mut Tx,
    id: &OrganizationId,
    applications: &[ApplicationId],
) -> Result<(), ApiError> {
    require(tx, APPLICATIONS.links, id, applications, "The application does not belong to the organization.").await
}

async fn require<M: Linked>(
    tx: &mut Tx,
    members: Links<OrganizationId, M>,
    id: &OrganizationId,
    required: &[M],
    message: &str,
) -> Result<(), ApiError> {
    if members.among(tx, id, required).await?.len() < required.len() {
        return Err(ApiError::new(ApiCode::OrganizationRequireMembership, message));
    }
    Ok(())
}
