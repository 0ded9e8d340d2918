//! Membership in organizations: by invitation, and just-in-time provisioning by a verified email address.

use super::AccountRefusal;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::{Event, Interaction};
use claimsmith_storage::organizations::{self, jit, members};
use serde_json::json;
use std::slice;

/// Adds a user to an organization with these roles: `Organization.Membership.Updated`, and
/// `Organization.Membership.Roles.Updated` if there are new ones, both built by `event`. Returns whether the user was
/// not a member before.
pub(crate) async fn join(
    work: &mut UnitOfWork,
    organization_id: &OrganizationId,
    user_id: &UserId,
    role_ids: &[OrganizationRoleId],
    event: impl Fn(EventType) -> Event,
) -> Result<bool, AccountRefusal> {
    let added = members::add(work, organization_id, slice::from_ref(user_id)).await?;
    let added_roles = members::add_roles(work, organization_id, user_id, role_ids).await?;
    let event_of = |kind| event(kind).of("organizationId", organization_id);
    work.emit(&event_of(EventType::OrganizationMembershipUpdated).ids("addedUserIds", &added)).await?;
    if !added_roles.is_empty() {
        let event = event_of(EventType::OrganizationMembershipRolesUpdated).of("userId", user_id);
        work.emit(&event.ids("addedOrganizationRoleIds", &added_roles)).await?;
    }
    Ok(!added.is_empty())
}

/// Adds a user to the organizations that provision members by the domain of this email address, with the roles
/// configured there. Existing memberships are unchanged.
pub async fn join_by_email(
    work: &mut UnitOfWork,
    user_id: &UserId,
    email: &str,
    during: &Interaction,
) -> Result<(), AccountRefusal> {
    let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let wanted = jit::organizations_of(work, &fold(domain)).await?;
    join_each(work, user_id, &wanted, during).await
}

/// Like `join_by_email`, for these organizations. Deleted ones are skipped.
pub async fn join_each(
    work: &mut UnitOfWork,
    user_id: &UserId,
    wanted: &[OrganizationId],
    during: &Interaction,
) -> Result<(), AccountRefusal> {
    if wanted.is_empty() {
        return Ok(());
    }
    let known = organizations::of_user(work, user_id).await?;
    for id in wanted.iter().filter(|id| !known.iter().any(|organization| organization.id == **id)) {
        if organizations::find(work, id).await?.is_none() {
            continue;
        }
        let role_ids = jit::ROLES.of(work, id).await?;
        join(work, id, user_id, &role_ids, |kind| Event::during(kind, during.clone())).await?;
        let details = json!({ "organizationId": id, "userId": user_id, "organizationRoleIds": role_ids });
        work.audit(work.key(AuditOperation::OrganizationJoin), details).await?;
    }
    Ok(())
}
