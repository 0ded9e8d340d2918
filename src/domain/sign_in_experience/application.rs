//! The effective branding of pages: that of the organization overrides that of the application, which overrides the
//! common one.

use crate::documents::organization::{Branding, Color};
use crate::documents::sign_in_experience::{CustomCss, SignInExperience};

impl Color {
    /// These colours, with missing ones from `below`.
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
    /// These pictures, with missing or empty ones from `below`.
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
    /// Applies branding over this one.
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
