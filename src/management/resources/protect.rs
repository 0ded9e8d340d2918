//! Protects the resources of the Management API and of the console.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_identity::access::built_in;
use claimsmith_storage::resources::Resource;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// Whether it is the resource of the Management API.
pub(super) fn is_management(management: &Caller, resource: &Resource) -> bool {
    resource.indicator == management.app.config.tokens.management_resource
}

/// Refuses to change one of the server's own resources.
pub(super) fn refuse_change(management: &Caller, resource: &Resource) -> Result<(), ApiError> {
    built_in::refuse_resource(&resource.id)?;
    if is_management(management, resource) {
        let message = "The Management API's own resource cannot be changed.";
        return Err(ApiError::new(ApiCode::ResourceCannotModifyManagementApi, message));
    }
    Ok(())
}
