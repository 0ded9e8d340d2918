//! `/api/custom-profile-fields`: the profile fields that users are asked for.

mod body;
mod create;
mod delete;
mod list;
mod order;
mod update;
mod view;

use crate::describe::routes;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

pub(crate) use view::CustomProfileFieldView;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_custom_profile_fields, create::create_custom_profile_field))
        .routes(routes!(create::create_custom_profile_fields))
        .routes(routes!(order::order_custom_profile_fields))
        .routes(routes!(
            list::show_custom_profile_field,
            update::update_custom_profile_field,
            delete::delete_custom_profile_field
        ))
}
