//! How a page looks: its style sheets and pictures, and the hosts that pictures come from.

use super::assets::{self, File};
use super::brand::Brand;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use form_urlencoded::Serializer;
use url::{Origin, Url};

/// A picture, with another one for dark pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemedPicture {
    /// Its URL.
    pub light: String,
    /// That of the one for dark pages.
    pub dark: Option<String>,
}

/// How a page looks.
#[derive(Clone, Debug)]
pub struct Look {
    /// The operator's logo.
    pub logo: Option<ThemedPicture>,
    /// The operator's small picture.
    pub icon: Option<ThemedPicture>,
    /// Paths of the style sheets, in their order.
    pub style_sheets: Vec<String>,
    /// Whether the last of them is the operator's own.
    pub has_custom_css: bool,
    /// The pictures, as sources of the policy.
    pub image_sources: Vec<String>,
}

impl Look {
    /// The look of the settings, for pages below `base`. `owners` identify the custom CSS in its URL.
    pub(super) fn of(settings: &SignInExperience, base: &str, owners: &[(&str, &str)]) -> Self {
        let path = |name: &str| format!("{base}{}{name}", assets::FOLDER);
        let mut style_sheets = vec![path(File::StyleSheet.name())];
        if let Some(brand) = Brand::of(&settings.color) {
            let stem = format!("brand-{}", brand.name());
            style_sheets.push(path(&assets::name(&stem, brand.style_sheet().as_bytes(), "css")));
        }
        let custom_css = settings.custom_css.as_ref().filter(|css| !css.as_str().is_empty());
        let has_custom_css = custom_css.is_some();
        if let Some(css) = custom_css {
            let mut query = Serializer::for_suffix("?".to_owned(), 1);
            query.extend_pairs(owners);
            let query = if owners.is_empty() { String::new() } else { query.finish() };
            style_sheets.push(path(&assets::name("custom", css.as_str().as_bytes(), "css")) + &query);
        }
        let mut look = Self { logo: None, icon: None, style_sheets, has_custom_css, image_sources: Vec::new() };
        let Branding { logo_url, dark_logo_url, favicon, dark_favicon } = &settings.branding;
        look.logo = look.picture(&settings.color, logo_url.as_deref(), dark_logo_url.as_deref());
        look.icon = look.picture(&settings.color, favicon.as_deref(), dark_favicon.as_deref());
        look
    }

    /// The style sheets without the operator's own, for pages with a secret in an attribute.
    #[must_use]
    pub fn own_style_sheets(&self) -> &[String] {
        match self.style_sheets.split_last() {
            Some((_, own)) if self.has_custom_css => own,
            _ => &self.style_sheets,
        }
    }

    fn picture(&mut self, color: &Color, light: Option<&str>, dark: Option<&str>) -> Option<ThemedPicture> {
        let light = self.allow(light?)?;
        let dark = dark.filter(|_| color.is_dark_mode_enabled == Some(true)).and_then(|url| self.allow(url));
        Some(ThemedPicture { light, dark })
    }

    /// Allows pages to show a picture. `None`: it is not allowed.
    pub(super) fn allow(&mut self, url: &str) -> Option<String> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let origin @ Origin::Tuple(..) = parsed.origin() else { return None };
        let host = origin.ascii_serialization();
        // It becomes part of a header, where other characters have a meaning.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/[]".contains(&byte);
        if !host.bytes().all(is_plain) {
            return None;
        }
        // Only this one picture: custom CSS could request any other URL of the host, and leak what is on the page. A
        // source has no query, and one that ends with a slash would allow every picture below it.
        if self.has_custom_css && parsed.path().ends_with('/') {
            return None;
        }
        let source = host + &parsed.path().replace(';', "%3B").replace(',', "%2C");
        if !self.image_sources.contains(&source) {
            self.image_sources.push(source);
        }
        Some(parsed.into())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    fn look(settings: serde_json::Value, owners: &[(&str, &str)]) -> Look {
        Look::of(&serde_json::from_value(settings).unwrap(), "/id", owners)
    }

    #[test]
    fn pictures_are_those_of_web_servers_alone() {
        let found = look(
            json!({ "branding": {
                "logoUrl": "https://cdn.test/a b.png", "darkLogoUrl": "https://dark.test/logo", "favicon": "data:,x"
            } }),
            &[],
        );
        assert_eq!(found.logo, Some(ThemedPicture { light: "https://cdn.test/a%20b.png".to_owned(), dark: None }));
        assert_eq!((found.icon, found.image_sources), (None, vec!["https://cdn.test/a%20b.png".to_owned()]));
        let dark = json!({
            "color": { "primaryColor": "#123456", "isDarkModeEnabled": true },
            "branding": { "logoUrl": "http://cdn.test:8080/1", "darkLogoUrl": "http://cdn.test:8080/2" }
        });
        let found = look(dark, &[]);
        assert_eq!(found.logo.unwrap().dark.unwrap(), "http://cdn.test:8080/2");
        assert_eq!(found.image_sources, ["http://cdn.test:8080/1", "http://cdn.test:8080/2"]);
        // A host with a meaning in the policy.
        for logo in ["https://a;script-src.test/x", "https://a,b.test/", "https://*.test/", "javascript:1"] {
            let found = look(json!({ "branding": { "logoUrl": logo } }), &[]);
            assert!(found.logo.is_none() && found.image_sources.is_empty(), "{logo}");
        }
    }

    #[test]
    fn a_picture_lets_in_no_other_of_its_host() {
        for (logo, source) in [
            ("https://cdn.test/logo.png?a=1#b", "https://cdn.test/logo.png"),
            ("https://cdn.test/a;b,c'd.png", "https://cdn.test/a%3Bb%2Cc'd.png"),
            ("https://cdn.test/a;script-src%20*", "https://cdn.test/a%3Bscript-src%20*"),
        ] {
            let found = look(json!({ "branding": { "logoUrl": logo }, "customCss": "a{}" }), &[]);
            assert_eq!(found.image_sources, [source], "{logo}");
        }
        // A folder allows everything in it. Without custom CSS no folder is needed.
        for folder in ["https://cdn.test", "https://cdn.test/logos/"] {
            let branding = json!({ "logoUrl": folder });
            let found = look(json!({ "branding": branding, "customCss": "a{}" }), &[]);
            assert!(found.logo.is_none() && found.image_sources.is_empty(), "{folder}");
            assert!(look(json!({ "branding": branding }), &[]).logo.is_some(), "{folder}");
        }
    }

    #[test]
    fn pages_with_secrets_have_the_style_sheets_of_the_server_alone() {
        let plain = look(json!({}), &[]);
        assert_eq!(plain.own_style_sheets(), plain.style_sheets);
        let custom = look(json!({ "customCss": "a{}" }), &[]);
        assert_eq!(custom.own_style_sheets(), plain.style_sheets);
        assert_ne!(custom.style_sheets, plain.style_sheets);
    }

    #[test]
    fn custom_css_is_a_file_of_its_own_behind_the_others() {
        assert_eq!(look(json!({}), &[("application", "x")]).style_sheets.len(), 2);
        let sheets = look(json!({ "customCss": "a{}" }), &[("application", "x&y")]).style_sheets;
        assert!(sheets.iter().all(|path| path.starts_with("/id/assets/")), "{sheets:?}");
        assert!(sheets[2].starts_with("/id/assets/custom.") && sheets[2].ends_with(".css?application=x%26y"));
        let sheets = look(json!({ "customCss": "a{}" }), &[]).style_sheets;
        assert!(sheets[2].split('.').next_back() == Some("css"), "{sheets:?}");
    }
}
