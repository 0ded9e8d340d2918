//! The colours of pages, derived from one colour. Text always has the contrast that WCAG 2.2 requires (level AA) on
//! light and dark pages.

/// Minimum contrast of text (WCAG 2.2, success criterion 1.4.3).
const TEXT_CONTRAST: f64 = 4.5;
/// The background of light pages.
const LIGHT: Rgb = Rgb([0xff, 0xff, 0xff]);
/// The background of dark pages.
const DARK: Rgb = Rgb([0x14, 0x16, 0x1a]);
const BLACK: Rgb = Rgb([0, 0, 0]);
/// Number of steps from a colour to black or white.
const STEPS: u16 = 50;

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb([u8; 3]);

/// The colours of the parts of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The background of the page.
    pub background: Rgb,
    /// Buttons.
    pub button: Rgb,
    /// Text on buttons.
    pub on_button: Rgb,
    /// Buttons under the pointer.
    pub button_hover: Rgb,
    /// Links and focus outlines.
    pub link: Rgb,
}

impl Rgb {
    /// `#rgb` or `#rrggbb`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        let digit = |index: usize| u8::from_str_radix(digits.get(index..=index)?, 16).ok();
        let channels = match digits.len() {
            3 => [digit(0)? * 17, digit(1)? * 17, digit(2)? * 17],
            6 => [digit(0)? * 16 + digit(1)?, digit(2)? * 16 + digit(3)?, digit(4)? * 16 + digit(5)?],
            _ => return None,
        };
        Some(Self(channels))
    }

    /// `#rrggbb`.
    #[must_use]
    pub fn hex(self) -> String {
        let [red, green, blue] = self.0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The relative luminance (WCAG 2.2).
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The contrast ratio of two colours: from 1 to 21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// A mix of this colour with `steps` steps of another.
    fn mixed(self, other: Self, steps: u16) -> Self {
        let mut channels = [0; 3];
        for (mixed, (own, other)) in channels.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            let sum = u16::from(own) * (STEPS - steps) + u16::from(other) * steps;
            *mixed = u8::try_from(sum / STEPS).unwrap_or(u8::MAX);
        }
        Self(channels)
    }

    /// The text colour on this one: white, or black if white is not readable.
    fn opposite(self) -> Self {
        if self.contrast(LIGHT) >= TEXT_CONTRAST { LIGHT } else { BLACK }
    }

    /// The nearest colour that is readable on a background.
    fn readable_on(self, background: Self) -> Self {
        let towards = background.opposite();
        let readable = |steps: &u16| self.mixed(towards, *steps).contrast(background) >= TEXT_CONTRAST;
        self.mixed(towards, (0..STEPS).find(readable).unwrap_or(STEPS))
    }
}

impl Palette {
    /// For light pages.
    #[must_use]
    pub fn light(primary: Rgb) -> Self {
        Self::on(LIGHT, primary)
    }

    /// For dark pages.
    #[must_use]
    pub fn dark(primary: Rgb) -> Self {
        Self::on(DARK, primary)
    }

    fn on(background: Rgb, button: Rgb) -> Self {
        let on_button = button.opposite();
        // Away from the text colour, so that the text stays readable.
        let away = if on_button == LIGHT { BLACK } else { LIGHT };
        let button_hover = button.mixed(away, STEPS / 8);
        Self { background, button, on_button, button_hover, link: button.readable_on(background) }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn colours_are_read_and_written() {
        for (text, hex) in [
            ("#abc", Some("#aabbcc")),
            ("#A0B1c2", Some("#a0b1c2")),
            ("abc", None),
            ("#abcd", None),
            ("#ggg", None),
            ("#äa", None),
            ("#+1a", None),
        ] {
            assert_eq!(Rgb::parse(text).map(Rgb::hex).as_deref(), hex, "{text}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        for (one, other, contrast) in
            [("#000", "#fff", 21.0), ("#fff", "#fff", 1.0), ("#777777", "#fff", 4.48), ("#767676", "#fff", 4.54)]
        {
            let found = Rgb::parse(one).unwrap().contrast(Rgb::parse(other).unwrap());
            assert!((found - contrast).abs() < 0.01, "{one} {other}: {found}");
        }
    }

    #[test]
    fn every_colour_gives_readable_pages() {
        let channels = [0, 0x33, 0x66, 0x77, 0x88, 0x99, 0xcc, 0xff];
        for red in channels {
            for green in channels {
                for blue in channels {
                    let primary = Rgb([red, green, blue]);
                    for palette in [Palette::light(primary), Palette::dark(primary)] {
                        for (one, other) in [
                            (palette.link, palette.background),
                            (palette.on_button, palette.button),
                            (palette.on_button, palette.button_hover),
                        ] {
                            assert!(one.contrast(other) >= TEXT_CONTRAST, "{one:?} {other:?} of {primary:?}");
                        }
                        assert_eq!(palette.button, primary);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_readable_stays_as_it_is() {
        let primary = Rgb::parse("#4f46e5").unwrap();
        assert_eq!(Palette::light(primary).link, primary);
        assert_ne!(Palette::dark(primary).link, primary);
    }
}
