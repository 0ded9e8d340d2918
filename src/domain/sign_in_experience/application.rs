//! How the sign-in pages look for one application, and what a page looks like in the end: an organization's look stands
//! over an application's, and that over the common one.

use super::links::Link;
use super::{CustomCss, SignInExperience};
use crate::domain::organization::{Branding, Color};
use crate::domain::text::Text;
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

impl Color {
    /// These colours, and where they do not say, those below.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        Self {
            primary_color: self.primary_color.clone().or_else(|| below.primary_color.clone()),
            is_dark_mode_enabled: self.is_dark_mode_enabled.or(below.is_dark_mode_enabled),
            dark_primary_color: self.dark_primary_color.clone().or_else(|| below.dark_primary_color.clone()),
        }
    }
}

impl Branding {
    /// These pictures, and where they do not say, those below. An empty text does not say.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        let pick = |own: &Option<String>, below: &Option<String>| {
            own.as_ref().filter(|url| !url.is_empty()).or(below.as_ref()).cloned()
        };
        Self {
            logo_url: pick(&self.logo_url, &below.logo_url),
            dark_logo_url: pick(&self.dark_logo_url, &below.dark_logo_url),
            favicon: pick(&self.favicon, &below.favicon),
            dark_favicon: pick(&self.dark_favicon, &below.dark_favicon),
        }
    }
}

impl SignInExperience {
    /// Lays a look over this one.
    pub fn lay(&mut self, color: &Color, branding: &Branding, css: Option<CustomCss>) {
        self.color = color.over(&self.color);
        self.branding = branding.over(&self.branding);
        if let Some(css) = css.filter(|css| !css.as_str().is_empty()) {
            self.custom_css = Some(css);
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn what_a_look_does_not_say_is_as_below() {
        let mut settings = SignInExperience::default();
        let layers = [
            (json!({ "primaryColor": "#111111" }), json!({ "logoUrl": "https://a.test/1", "favicon": "" }), "a"),
            (json!({ "isDarkModeEnabled": true }), json!({ "favicon": "https://b.test/2", "logoUrl": "" }), ""),
        ];
        for (color, branding, css) in layers {
            let (color, branding) = (serde_json::from_value(color).unwrap(), serde_json::from_value(branding).unwrap());
            settings.lay(&color, &branding, Some(CustomCss::try_from(css.to_owned()).unwrap()));
        }
        let shown: Value = serde_json::to_value(&settings).unwrap();
        let color = json!({ "primaryColor": "#111111", "isDarkModeEnabled": true, "darkPrimaryColor": "#818cf8" });
        let branding = json!({ "logoUrl": "https://a.test/1", "favicon": "https://b.test/2" });
        assert_eq!((&shown["color"], &shown["branding"], &shown["customCss"]), (&color, &branding, &json!("a")));
    }
}
