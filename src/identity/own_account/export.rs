//! Export of all data stored about a user, as one document, without secrets and hashes.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use super::{factors, grants, impersonations, proof, sessions, trusted_devices};
use crate::accounts::user_view;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::clock::iso8601;
use claimsmith_services::tokens::context::sso_identity;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::{self, personal_access_tokens};
use claimsmith_storage::{Slice, organizations, roles};
use serde_json::{Value, json};

/// Maximum trusted devices in the export; no user has more.
const MAX_DEVICES: i64 = 100;

/// Creates the document.
pub async fn export(owner: &Owner) -> Result<Value, OwnAccountRefusal> {
    let outcome = gather(owner).await;
    owner.note(AuditKey::AccountUserExport, outcome)
}

async fn gather(owner: &Owner) -> Result<Value, OwnAccountRefusal> {
    let mut work = prove(owner).await?;
    let id = &owner.user_id;
    let user = owner.user(&mut work).await?;
    let settings = users::settings::find(&mut work, id).await?.unwrap_or_default();
    let tokens = personal_access_tokens::list(&mut work, id).await?;
    let (roles, organizations) = (roles::of_user(&mut work, id).await?, organizations::of_user(&mut work, id).await?);
    let organization_roles = organizations::roles_of_user(&mut work, id).await?;
    let companies = users::sso_identities::of_user(&mut work, id).await?;
    let sessions = sessions::list(owner, &mut work).await?;
    let all = Slice { limit: MAX_DEVICES, offset: 0 };
    let (devices, _) = trusted_devices::list(owner, &mut work, all).await?;
    work.audit(AuditKey::AccountUserExport, json!({ "userId": id })).await?;
    work.commit().await?;
    let (acted, _) = impersonations::list(owner).await?;
    Ok(json!({
        "exportedAt": iso8601(owner.now()),
        "user": user_view(user),
        "ssoIdentities": companies.iter().map(sso_identity).collect::<Vec<_>>(),
        "settings": settings,
        "secondFactors": factors::list(owner).await?.iter().map(|one| json!({
            "type": one.kind, "name": one.name, "agent": one.agent, "createdAt": iso8601(one.created_at),
            "lastUsedAt": one.last_used_at.map(iso8601), "remainingCodes": one.remaining,
        })).collect::<Vec<_>>(),
        "personalAccessTokens": tokens.iter().map(|token| json!({
            "name": token.name, "createdAt": iso8601(token.created_at), "expiresAt": token.expires_at.map(iso8601),
        })).collect::<Vec<_>>(),
        "sessions": sessions.iter().map(|session| {
            let details = session.details.0.clone().unwrap_or_default();
            json!({
                "id": session.id, "signedInAt": iso8601(session.authenticated_at), "amr": details.amr,
                "lastActiveAt": iso8601(session.last_active_at), "expiresAt": iso8601(session.expires_at),
                "ip": details.ip, "userAgent": details.user_agent,
            })
        }).collect::<Vec<_>>(),
        "trustedDevices": devices.iter().map(|device| json!({
            "id": device.id, "userAgent": device.user_agent, "ip": device.ip,
            "createdAt": iso8601(device.created_at), "lastUsedAt": iso8601(device.last_used_at),
            "expiresAt": iso8601(device.expires_at),
        })).collect::<Vec<_>>(),
        "grants": grants::list(owner).await?.iter().map(|(grant, application)| json!({
            "id": grant.id, "application": { "id": application.id, "name": application.name },
            "scopes": grant.scopes.0, "createdAt": iso8601(grant.created_at), "expiresAt": iso8601(grant.expires_at),
        })).collect::<Vec<_>>(),
        "roles": roles.iter().map(|role| json!({ "name": role.name, "description": role.description }))
            .collect::<Vec<_>>(),
        "organizations": organizations.iter().map(|one| json!({ "id": one.id, "name": one.name }))
            .collect::<Vec<_>>(),
        "organizationRoles": organization_roles.iter().map(|role| json!({
            "organizationId": role.organization_id, "role": role.role_name,
        })).collect::<Vec<_>>(),
        "impersonations": acted.iter().map(|one| json!({
            "id": one.token.jti, "actor": one.name_of_actor(), "applicationId": one.token.application_id,
            "scope": one.token.scope, "resource": one.token.resource, "reason": one.context("reason"),
            "ticketId": one.context("ticketId"), "createdAt": iso8601(one.token.created_at),
            "expiresAt": iso8601(one.token.expires_at), "endedAt": one.token.revoked_at.map(iso8601),
        })).collect::<Vec<_>>(),
    }))
}

/// Begins the transaction that audits the export, after the user has proved their identity.
async fn prove(owner: &Owner) -> Result<UnitOfWork, OwnAccountRefusal> {
    let (mut work, user) = owner.begin().await?;
    proof::check_if_possible(owner, &mut work, &user).await?;
    Ok(work)
}
