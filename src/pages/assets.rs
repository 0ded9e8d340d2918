//! The files of the pages, embedded in the binary. A name includes a hash of the content, so browsers cache a file
//! forever and never use an outdated one.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Where they are.
pub(crate) const FOLDER: &str = "/assets/";
/// Of a style sheet.
pub(crate) const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");
const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A file of the pages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum File {
    /// The style sheet of all pages.
    StyleSheet,
    /// Sends a form by itself.
    FormPost,
    /// Shows what is typed as a password.
    Password,
    /// Fills forms in with a passkey.
    Passkey,
    /// Solves the puzzle of a form.
    Captcha,
    /// The small picture of a page without another.
    Icon,
}

static NAMES: LazyLock<[String; 6]> = LazyLock::new(|| File::ALL.map(File::make_name));

impl File {
    const ALL: [Self; 6] = [Self::StyleSheet, Self::FormPost, Self::Password, Self::Passkey, Self::Captcha, Self::Icon];

    /// Its name before and after the hash, and its content.
    fn parts(self) -> (&'static str, &'static str, &'static [u8]) {
        match self {
            Self::StyleSheet => ("pages", "css", include_bytes!("assets/pages.css")),
            Self::FormPost => ("form-post", "js", include_bytes!("assets/form-post.js")),
            Self::Password => ("password", "js", include_bytes!("assets/password.js")),
            Self::Passkey => ("passkey", "js", include_bytes!("assets/passkey.js")),
            Self::Captcha => ("captcha", "js", include_bytes!("assets/captcha.js")),
            Self::Icon => ("favicon", "svg", include_bytes!("assets/favicon.svg")),
        }
    }

    fn make_name(self) -> String {
        let (stem, extension, content) = self.parts();
        name(stem, content, extension)
    }

    /// Its name, such as `pages.0a1b2c3d4e5f.css`.
    pub(crate) fn name(self) -> &'static str {
        &NAMES[self as usize]
    }

    /// The file before and after these parts of a name.
    pub(crate) fn find(stem: &str, extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| {
            let (own_stem, own_extension, _) = file.parts();
            own_stem == stem && own_extension == extension
        })
    }

    /// Its content, as the response to a request for the name `asked`.
    pub(crate) fn answer(self, asked: &str) -> Response {
        let (_, extension, content) = self.parts();
        let kind = match extension {
            "css" => CSS,
            "js" => JAVASCRIPT,
            _ => SVG,
        };
        answer(content, kind, asked == self.name())
    }
}

/// The name of a file of this content.
pub(crate) fn name(stem: &str, content: &[u8], extension: &str) -> String {
    format!("{stem}.{}.{extension}", HEXLOWER.encode(&Sha256::digest(content)[..6]))
}

/// A file. One of another server version, during a rolling update, is not cached.
pub(crate) fn answer<B>(content: B, kind: HeaderValue, is_current: bool) -> Response
where
    axum::body::Body: From<B>,
{
    let kept = if is_current { KEPT } else { HeaderValue::from_static("no-cache") };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)];
    (headers, axum::body::Body::from(content)).into_response()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "a test may panic")]

    use super::*;
    use claimsmith_domain::sign_in_experience::palette::Rgb;

    /// The colours of a token of the style sheet, on light pages and on dark ones.
    fn token(name: &str) -> Option<[Rgb; 2]> {
        let (_, rest) = include_str!("assets/pages.css").split_once(&format!("--{name}: light-dark("))?;
        let (light, dark) = rest.split_once(')')?.0.split_once(", ")?;
        Some([Rgb::parse(light)?, Rgb::parse(dark)?])
    }

    #[test]
    fn what_is_written_is_readable() -> Result<(), String> {
        let colours = |name: &str| token(name).ok_or_else(|| format!("no colours of --{name}"));
        for (one, other, contrast) in [
            ("text", "page", 7.0),
            ("text", "card", 7.0),
            ("text", "soft", 7.0),
            ("muted", "page", 4.5),
            ("muted", "card", 4.5),
            ("muted", "soft", 4.5),
            ("danger", "card", 4.5),
            ("danger", "danger-soft", 4.5),
            ("link", "card", 4.5),
            ("on-accent", "accent", 4.5),
            ("on-accent", "accent-hover", 4.5),
            // The frames of fields (WCAG 2.2, success criterion 1.4.11).
            ("edge", "card", 3.0),
            ("good", "card", 3.0),
        ] {
            for (one_colour, other_colour) in colours(one)?.into_iter().zip(colours(other)?) {
                let found = one_colour.contrast(other_colour);
                assert!(found >= contrast, "--{one} on --{other}: {found}");
            }
        }
        // Links are made readable on the background of the palette.
        assert_eq!(colours("card")?.map(Rgb::hex), ["#ffffff", "#14161a"]);
        Ok(())
    }

    #[test]
    fn every_file_has_its_own_name() {
        for (index, file) in File::ALL.into_iter().enumerate() {
            assert_eq!(file as usize, index);
            let name = file.name();
            let parts: Vec<_> = name.split('.').collect();
            let [stem, hash, extension] = parts[..] else { panic!("{name}") };
            assert!(hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
            assert_eq!(File::find(stem, extension).map(File::name), Some(name));
        }
        assert!(File::find("pages", "js").is_none());
    }
}
