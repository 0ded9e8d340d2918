//! Sign-in page settings of an application.

use super::CustomCss;
use super::links::Link;
use crate::documents::organization::{Branding, Color};
use crate::documents::text::Text;
use serde::{Deserialize, Serialize};

/// The sign-in pages of one application.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ApplicationSignInExperience {
    /// What people know the application as.
    #[schema(value_type = Option<String>, max_length = 256)]
    pub display_name: Option<Text<0, 256>>,
    /// Its colours; those that it does not say are the common ones.
    pub color: Color,
    /// Its pictures; those that it does not say are the common ones.
    pub branding: Branding,
    /// Its style sheet, instead of the common one.
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub custom_css: Option<CustomCss>,
    /// Where the application's own terms of use are.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub terms_of_use_url: Option<Link>,
    /// Where it says how the application keeps data private.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub privacy_policy_url: Option<Link>,
}
