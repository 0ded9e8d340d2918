//! The style sheet of the operator's colours. Its name encodes them, so every node and every version can serve it
//! without the database.

use claimsmith_domain::documents::organization::Color;
use claimsmith_domain::sign_in_experience::palette::{Palette, Rgb};

/// The fallback colour if the settings have no valid one.
const PRIMARY: &str = "#4f46e5";

/// The colours that pages are derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brand {
    light: Rgb,
    /// None: the pages stay light.
    dark: Option<Rgb>,
}

impl Brand {
    /// Those of the settings.
    pub(crate) fn of(color: &Color) -> Option<Self> {
        let read = |text: &Option<String>| text.as_deref().and_then(Rgb::parse);
        let light = read(&color.primary_color).or_else(|| Rgb::parse(PRIMARY))?;
        let is_dark = color.is_dark_mode_enabled == Some(true);
        let dark = is_dark.then(|| read(&color.dark_primary_color).unwrap_or(light));
        Some(Self { light, dark })
    }

    /// Those of a name: `4f46e5`, or `4f46e5-818cf8` where pages may be dark.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let read = |digits: &str| Rgb::parse(&format!("#{digits}")).filter(|rgb| rgb.hex()[1..] == *digits);
        match name.split_once('-') {
            Some((light, dark)) => Some(Self { light: read(light)?, dark: Some(read(dark)?) }),
            None => Some(Self { light: read(name)?, dark: None }),
        }
    }

    /// The name of these colours.
    pub(crate) fn name(self) -> String {
        let digits = |rgb: Rgb| rgb.hex().trim_start_matches('#').to_owned();
        self.dark.map_or_else(|| digits(self.light), |dark| format!("{}-{}", digits(self.light), digits(dark)))
    }

    /// The style sheet.
    pub(crate) fn style_sheet(self) -> String {
        let light = Palette::light(self.light);
        let dark = Palette::dark(self.dark.unwrap_or(self.light));
        let scheme = if self.dark.is_some() { "light dark" } else { "light" };
        let token = |name: &str, of: fn(&Palette) -> Rgb| {
            format!("--{name}:light-dark({},{});", of(&light).hex(), of(&dark).hex())
        };
        let tokens = [
            token("accent", |palette| palette.button),
            token("on-accent", |palette| palette.on_button),
            token("accent-hover", |palette| palette.button_hover),
            token("link", |palette| palette.link),
        ];
        format!("@layer brand{{:root{{color-scheme:{scheme};{}}}}}", tokens.concat())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn color(light: &str, is_dark: Option<bool>, dark: Option<&str>) -> Color {
        Color {
            primary_color: Some(light.to_owned()),
            is_dark_mode_enabled: is_dark,
            dark_primary_color: dark.map(str::to_owned),
        }
    }

    #[test]
    fn a_name_says_the_colours() {
        for (color, name) in [
            (color("#0055aa", Some(false), Some("#66aaff")), "0055aa"),
            (color("#05a", Some(true), Some("#66AAFF")), "0055aa-66aaff"),
            (color("#0055aa", Some(true), None), "0055aa-0055aa"),
            (color("nonsense", None, None), "4f46e5"),
        ] {
            let brand = Brand::of(&color).unwrap();
            assert_eq!(brand.name(), name);
            assert_eq!(Brand::parse(name), Some(brand));
        }
        for name in ["", "05a", "0055AA", "0055aa-", "0055aa-66aaff-1", "#0055aa", "0055aa}"] {
            assert_eq!(Brand::parse(name), None, "{name}");
        }
    }

    #[test]
    fn only_pages_that_may_be_dark_say_so() {
        let css = Brand::parse("0055aa").unwrap().style_sheet();
        assert!(css.contains("color-scheme:light;") && css.contains("--accent:light-dark(#0055aa,"), "{css}");
        let css = Brand::parse("0055aa-66aaff").unwrap().style_sheet();
        assert!(css.contains("color-scheme:light dark;") && css.contains("(#0055aa,#66aaff)"), "{css}");
    }
}
