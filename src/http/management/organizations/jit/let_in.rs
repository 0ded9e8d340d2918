//! What happens to a new user whose email domain opens organizations.

use crate::domain::event::EventType;
use crate::domain::organization::EmailDomain;
use crate::http::error::ApiError;
use crate::http::extract::management::Management;
use crate::storage::organization_jit::{self, ROLES};
use crate::storage::users::User;
use crate::storage::{Tx, organization_members};
use crate::webhooks::Event;
use axum::http::StatusCode;

/// Makes a user a member, with the roles of whom they let in, of all organizations that the user's email domain opens.
pub(in crate::http::management) async fn let_in(
    management: &Management,
    tx: &mut Tx,
    user: &User,
) -> Result<(), ApiError> {
    let Some(domain) = user.primary_email.as_deref().and_then(EmailDomain::of) else { return Ok(()) };
    for opened in organization_jit::opened_by(tx, domain.as_str()).await? {
        let id = opened.organization_id;
        let added = organization_members::add(tx, &id, std::slice::from_ref(&user.id)).await?;
        let role_ids = ROLES.of(tx, &[&id]).await?;
        organization_members::add_roles(tx, &id, &user.id, &role_ids).await?;
        let event = Event::new(EventType::OrganizationMembershipUpdated, StatusCode::OK)
            .of("organizationId", &id)
            .ids("addedUserIds", &added);
        management.emit_aside(tx, &event).await?;
    }
    Ok(())
}
