//! The static files of the console, embedded in the binary. A file's name contains a hash of its content, so browsers
//! cache it forever and never use an outdated one.

use crate::Console;
use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The path of the files.
const FOLDER: &str = "/console/assets/";
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A static file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum File {
    /// The style sheet.
    StyleSheet,
    /// Enhancements of every page: partial updates, keyboard shortcuts, copy buttons, times.
    Script,
    /// The command palette.
    Palette,
    /// Lists that update live.
    Live,
    /// Submits the subject token to the application.
    HandOver,
    /// Validates URIs while the user types.
    Uris,
    /// Uses a passkey to confirm the operator's identity.
    Confirm,
    /// The code editor.
    Editor,
    /// Syntax highlighting.
    Highlight,
    /// Enhancements of the plugin workbench.
    Workbench,
    /// The favicon.
    Icon,
}

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| File::ALL.iter().map(|file| file.make_name()).collect());

impl File {
    const ALL: &[Self] = &[
        Self::StyleSheet,
        Self::Script,
        Self::Palette,
        Self::Live,
        Self::HandOver,
        Self::Uris,
        Self::Confirm,
        Self::Editor,
        Self::Highlight,
        Self::Workbench,
        Self::Icon,
    ];

    /// File name before and after the hash, and content.
    fn parts(self) -> (&'static str, &'static str, &'static [u8]) {
        match self {
            Self::StyleSheet => ("console", "css", include_bytes!("assets/console.css")),
            Self::Script => ("console", "js", include_bytes!("assets/console.js")),
            Self::Palette => ("palette", "js", include_bytes!("assets/palette.js")),
            Self::Live => ("live", "js", include_bytes!("assets/live.js")),
            Self::HandOver => ("hand_over", "js", include_bytes!("assets/hand_over.js")),
            Self::Uris => ("uris", "js", include_bytes!("assets/uris.js")),
            Self::Confirm => ("confirm", "js", include_bytes!("assets/confirm.js")),
            Self::Editor => ("editor", "js", include_bytes!("assets/editor.js")),
            Self::Highlight => ("highlight", "js", include_bytes!("assets/highlight.js")),
            Self::Workbench => ("workbench", "js", include_bytes!("assets/workbench.js")),
            Self::Icon => ("icon", "svg", include_bytes!("assets/icon.svg")),
        }
    }

    fn make_name(self) -> String {
        let (stem, extension, content) = self.parts();
        format!("{stem}.{}.{extension}", HEXLOWER.encode(&Sha256::digest(content)[..6]))
    }

    /// The URL path of the file.
    pub(crate) fn path(self) -> String {
        let position = Self::ALL.iter().position(|file| *file == self).unwrap_or_default();
        format!("{FOLDER}{}", NAMES.get(position).map_or("", String::as_str))
    }
}

/// The route of the files.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console/assets/{name}", get(show_asset))
}

async fn show_asset(Path(name): Path<String>) -> Response {
    let mut parts = name.split('.');
    let (stem, extension) = (parts.next().unwrap_or_default(), parts.next_back().unwrap_or_default());
    let found = File::ALL.iter().zip(NAMES.iter()).find(|(file, _)| {
        let (own_stem, own_extension, _) = file.parts();
        (own_stem, own_extension) == (stem, extension)
    });
    let Some((file, current)) = found else { return StatusCode::NOT_FOUND.into_response() };
    let kind = match extension {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    // A file name of another version, which occurs during a rolling update, must not be cached.
    let kept = if *current == name { KEPT } else { HeaderValue::from_static("no-cache") };
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, kept)];
    (headers, file.parts().2).into_response()
}
