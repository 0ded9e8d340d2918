//! `/api/applications/{id}/user-consent-scopes`: the scopes that a third-party application may ask users for.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::application_access::{
    ConsentScopes, EnableConsentScopes, NamedOrganizationScope, NamedResource, NamedScope, ScopesOfResource,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::built_in;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::id::{ApplicationId, OrganizationScopeId, ResourceId, ScopeId};
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, Recent};
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::consent_scopes::{
    self, EnabledScope, ORGANIZATION_RESOURCE_SCOPES, ORGANIZATION_SCOPES, RESOURCE_SCOPES, USER_SCOPES,
};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, organizations, resources};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdTriple};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// A third-party application; 404 or 422 otherwise.
pub(super) async fn third_party(tx: &mut Tx, id: &ApplicationId) -> Result<Application, ApiError> {
    let found = applications::find(tx, id).await?.ok_or_else(|| ApiError::not_found("application", id))?;
    if !found.is_third_party {
        let message = "Only a third-party application needs the consent of users.";
        return Err(ApiError::new(ApiCode::ApplicationThirdPartyApplicationOnly, message));
    }
    Ok(found)
}

/// Shows the scopes that a third-party application may ask users for.
#[utoipa::path(
    get, path = "/api/applications/{id}/user-consent-scopes", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "The scopes", body = ConsentScopes),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_application_consent_scopes(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<ConsentScopes>, ApiError> {
    let mut tx = management.read().await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let organization_scopes = consent_scopes::of_organizations(&mut tx, &id).await?;
    Ok(Json(ConsentScopes {
        is_limited: consent_scopes::is_limited(&mut tx, &id).await?,
        organization_scopes: organization_scopes
            .into_iter()
            .map(|scope| NamedOrganizationScope { id: scope.id, name: scope.name, description: scope.description })
            .collect(),
        resource_scopes: by_resource(consent_scopes::of_resources(&mut tx, RESOURCE_SCOPES, &id).await?),
        organization_resource_scopes: by_resource(
            consent_scopes::of_resources(&mut tx, ORGANIZATION_RESOURCE_SCOPES, &id).await?,
        ),
        user_scopes: USER_SCOPES.of(&mut tx, &id).await?,
    }))
}

fn by_resource(scopes: Vec<EnabledScope>) -> Vec<ScopesOfResource> {
    let mut grouped: Vec<ScopesOfResource> = Vec::new();
    for scope in scopes {
        let named = NamedScope { id: scope.id, name: scope.name, description: scope.description };
        match grouped.last_mut().filter(|last| last.resource.id == scope.resource_id) {
            Some(last) => last.scopes.push(named),
            None => grouped.push(ScopesOfResource {
                resource: NamedResource {
                    id: scope.resource_id,
                    name: scope.resource_name,
                    indicator: scope.indicator,
                },
                scopes: vec![named],
            }),
        }
    }
    grouped
}

/// Lets a third-party application ask users for more scopes.
///
/// From the first request on, it may ask only for enabled scopes. Those that are enabled already are no error.
#[utoipa::path(
    post, path = "/api/applications/{id}/user-consent-scopes", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = EnableConsentScopes,
    responses(
        (status = 201, description = "Enabled; without a body"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "It is not a third party's, or no such scope, or one of the Management API",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn enable_application_consent_scopes(
    management: Management<Recent<ApplicationsWrite>>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<EnableConsentScopes>,
) -> Result<StatusCode, ApiError> {
    let organization_scopes = body.organization_scopes.0.as_ref().map_or(&[][..], IdList::as_slice);
    let resource_scopes = body.resource_scopes.0.as_ref().map_or(&[][..], IdList::as_slice);
    let within = body.organization_resource_scopes.0.as_ref().map_or(&[][..], IdList::as_slice);
    let user_scopes = body.user_scopes.iter().flat_map(|list| list.iter());
    let user_scopes: Vec<String> = user_scopes.cloned().map(String::from).collect();
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    third_party(&mut tx, &id).await?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    check(&management, &mut tx, organization_scopes, resource_scopes, within).await?;
    consent_scopes::limit(&mut tx, &id).await?;
    let organization_scopes = ORGANIZATION_SCOPES.add(&mut tx, &id, organization_scopes).await?;
    let resource_scopes = RESOURCE_SCOPES.add(&mut tx, &id, resource_scopes).await?;
    let within = ORGANIZATION_RESOURCE_SCOPES.add(&mut tx, &id, within).await?;
    let user_scopes = USER_SCOPES.add(&mut tx, &id, &user_scopes).await?;
    let added = json!({
        "changedApplicationId": id, "addedOrganizationScopeIds": organization_scopes,
        "addedResourceScopeIds": resource_scopes, "addedOrganizationResourceScopeIds": within,
        "addedUserScopes": user_scopes,
    });
    tx.audit(AuditKey::ManagementApplicationChangeConsentScopes, added).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}

/// 422 unless the scopes exist and are not those of this server's own APIs.
async fn check(
    management: &Caller,
    tx: &mut Tx,
    organization_scopes: &[OrganizationScopeId],
    resource_scopes: &[ScopeId],
    within: &[ScopeId],
) -> Result<(), ApiError> {
    let mut unknown: Vec<&OrganizationScopeId> = Vec::new();
    for id in organization_scopes {
        if organizations::scopes::find(tx, id).await?.is_none() {
            unknown.push(id);
        }
    }
    let mut found = resources::find_scopes(tx, resource_scopes).await?;
    found.extend(resources::find_scopes(tx, within).await?);
    let missing = |ids: &[ScopeId]| -> Vec<ScopeId> {
        ids.iter().filter(|id| !found.iter().any(|scope| scope.id == **id)).cloned().collect()
    };
    let (outside, inside) = (missing(resource_scopes), missing(within));
    if !(unknown.is_empty() && outside.is_empty() && inside.is_empty()) {
        let error = ApiError::new(ApiCode::ApplicationUserConsentScopesNotFound, "Some of the scopes do not exist.");
        return Err(error.with_data(json!({
            "invalidOrganizationScopes": unknown, "invalidResourceScopes": outside,
            "invalidOrganizationResourceScopes": inside,
        })));
    }
    let own = privilege_guard::management_resource_id(management, tx).await?;
    let is_own = |id: &ResourceId| Some(id) == own.as_ref() || *id == *built_in::RESOURCE_ID;
    if found.iter().any(|scope| is_own(&scope.resource_id)) {
        let message = "Scopes of the Management API and of the console are not for third parties.";
        return Err(ApiError::new(ApiCode::ApplicationConsentManagementApiScopesNotAllowed, message));
    }
    Ok(())
}

/// Takes a scope from those that a third-party application may ask users for.
///
/// The next tokens of users who consented to it before are issued without it.
#[utoipa::path(
    delete, path = "/api/applications/{id}/user-consent-scopes/{scopeType}/{scopeId}", tag = "Applications",
    params(
        ("id" = String, Path, description = "The application"),
        ("scopeType" = String, Path,
            description = "`organization-scopes`, `resource-scopes`, `organization-resource-scopes` or `user-scopes`"),
        ("scopeId" = String, Path, description = "The id of the scope; the name of a user scope"),
    ),
    responses(
        (status = 204, description = "Taken"),
        (status = 400, description = "No such type of scopes", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such application, or the scope is not enabled for it", body = ApiErrorBody),
        (status = 422, description = "The application is one of the server's own", body = ApiErrorBody),
    ),
)]
pub(super) async fn disable_application_consent_scope(
    management: Management<Recent<ApplicationsWrite>>,
    IdTriple(id, scope_type, scope_id): IdTriple<ApplicationId, String, String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let by_id = ScopeId::from(scope_id.as_str());
    let removed = match scope_type.as_str() {
        "organization-scopes" => ORGANIZATION_SCOPES.remove(&mut tx, &id, &scope_id.as_str().into()).await?,
        "resource-scopes" => RESOURCE_SCOPES.remove(&mut tx, &id, &by_id).await?,
        "organization-resource-scopes" => ORGANIZATION_RESOURCE_SCOPES.remove(&mut tx, &id, &by_id).await?,
        "user-scopes" => USER_SCOPES.remove(&mut tx, &id, &scope_id).await?,
        _ => {
            let details = "Error in key path \"scopeType\": expected organization-scopes, resource-scopes, \
                organization-resource-scopes or user-scopes";
            return Err(ApiError::invalid_input("path", details));
        }
    };
    if !removed {
        return Err(ApiError::nothing_to_delete("scope of the application", &scope_id));
    }
    let details = json!({ "changedApplicationId": id, "scopeType": scope_type, "removedScope": scope_id });
    tx.audit(AuditKey::ManagementApplicationChangeConsentScopes, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
