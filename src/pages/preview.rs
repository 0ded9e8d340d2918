//! Previews of pages with unsaved settings, in a frame of this server's own: nothing in them can be used, no script
//! runs, and the operator's draft of a style sheet is inline, allowed only by its hash.

use super::error_page::ErrorPage;
use super::experience;
use super::frame::{ApplicationView, Frame, FrameError, PageContext};
use super::paths;
use super::sign_in::consent::{ConsentPage, ResourceView, ScopeView};
use super::sign_in::credentials::SignInPage;
use super::sign_in::register::RegisterPage;
use super::sign_in::reset_password::ResetPasswordPage;
use super::sign_in::verification_code::VerificationCodePage;
use askama::Template;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_services::app::App;
use claimsmith_storage::Tx;
use data_encoding::BASE64;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Who is shown to be signed in, and where codes go.
const SOMEBODY: &str = "ada@example.com";
/// Styles of other origins would not be seen by those who sign in either.
const NO_ONE: &str = "frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// A page.
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Page {
    /// Signing in.
    #[default]
    SignIn,
    /// The same, where a code is asked for.
    SignInCode,
    /// Making an account.
    Register,
    /// Letting an application in.
    Consent,
    /// Typing a code.
    VerificationCode,
    /// A forgotten password.
    ResetPassword,
    /// Something went wrong.
    Error,
}

/// How a page looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As in the light.
    Light,
    /// As in the dark, where the settings have that.
    Dark,
}

/// The preview to show.
pub struct PreviewDraft<'d> {
    /// The common settings.
    pub settings: SignInExperience,
    /// The page.
    pub page: Page,
    /// The language, if it is not that of the settings.
    pub language: Option<&'d str>,
    /// Whose application.
    pub application: Option<&'d ApplicationId>,
    /// Whose organization.
    pub organization: Option<&'d OrganizationId>,
    /// The theme; `None` uses the browser's.
    pub theme: Option<Theme>,
}

/// The reason that there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// The common parts of pages cannot be loaded.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The page cannot be written.
    #[error("the page could not be rendered")]
    Render(#[from] askama::Error),
}

/// Shows a page with a draft.
pub async fn show(app: &App, tx: &mut Tx, draft: PreviewDraft<'_>) -> Result<Response, PreviewError> {
    let asked = PageContext {
        application: draft.application,
        organization: draft.organization,
        ui_locales: draft.language,
        accept_language: "",
    };
    let found = experience::lay(tx, draft.settings, asked.application, asked.organization);
    let found = found.await.map_err(FrameError::from)?;
    let css = found.settings.custom_css.clone().map(String::from).unwrap_or_default();
    let may_be_dark = found.settings.color.is_dark_mode_enabled == Some(true);
    let mut frame = Frame::of(app, tx, &asked, found).await?;
    frame.is_live = false;
    // The draft cannot be loaded from anywhere.
    frame.look.style_sheets.retain(|path| !path.contains("/custom."));
    let page = rendered(&mut frame, draft.page)?;
    let scheme = match draft.theme {
        Some(Theme::Dark) if may_be_dark => Some("dark"),
        Some(_) => Some("light"),
        None => None,
    };
    Ok(framed(&page, &frame, &css, scheme))
}

fn rendered(frame: &mut Frame, page: Page) -> Result<String, askama::Error> {
    if frame.application.is_none() && matches!(page, Page::Consent) {
        frame.application = Some(ApplicationView {
            name: "Example".to_owned(),
            logo: None,
            terms_url: None,
            privacy_url: None,
            is_third_party: true,
        });
    }
    let (frame, csrf, error) = (&*frame, "", None);
    match page {
        Page::SignIn | Page::SignInCode => {
            let is_code = matches!(page, Page::SignInCode) || frame.prefers_code();
            SignInPage { frame, csrf, error, identifier: "", has_agreed: false, is_code, has_new_password: false }
                .render()
        }
        Page::Register => {
            let is_code = !frame.registers_by_name();
            RegisterPage { frame, csrf, error, username: "", identifier: "", is_code, has_agreed: false }.render()
        }
        Page::Consent => ConsentPage {
            frame,
            csrf,
            user: SOMEBODY,
            avatar: None,
            scopes: vec!["profile", "email"],
            resources: vec![ResourceView {
                name: "Example API",
                scopes: vec![ScopeView { name: "read", description: None }],
            }],
            organizations: Vec::new(),
            destination: None,
        }
        .render(),
        Page::VerificationCode => {
            let back = paths::SIGN_IN;
            VerificationCodePage { frame, csrf, error, address: SOMEBODY, is_resent: false, back }.render()
        }
        Page::ResetPassword => ResetPasswordPage { frame, csrf, error, identifier: "" }.render(),
        Page::Error => ErrorPage::new(frame).render(),
    }
}

/// The page with the draft's style sheet inline, as a response.
fn framed(page: &str, frame: &Frame, css: &str, scheme: Option<&str>) -> Response {
    let mut styles = vec![at_scheme(css, scheme)];
    styles.extend(scheme.map(|scheme| format!(":root{{color-scheme:{scheme} !important}}")));
    // The end tag is escaped with a backslash, which has the same meaning in CSS.
    let styles: Vec<String> = styles.into_iter().map(|style| style.replace("</", "<\\/")).collect();
    let elements = styles.iter().map(|style| format!("<style>{style}</style>")).collect::<Vec<_>>().concat();
    let page = at_scheme(page, scheme);
    let page = page.replacen("</head>", &format!("{elements}</head>"), 1).replacen("<body ", "<body inert ", 1);
    let digest = |style: &String| format!(" 'sha256-{}'", BASE64.encode(&Sha256::digest(style)));
    let digests = styles.iter().map(digest).collect::<Vec<_>>().concat();
    let images = frame.look.image_sources.join(" ");
    let policy = format!(
        "default-src 'none'; style-src 'self'{digests}; img-src 'self' data: {images}; font-src 'self'; {NO_ONE}"
    );
    let policy = HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, Html(page)).into_response()
}

/// The text with its media queries resolved for this color scheme, independent of the browser's preference.
fn at_scheme(text: &str, scheme: Option<&str>) -> String {
    let (always, never) = ("(min-width: 0)", "(max-width: 0)");
    let Some(scheme) = scheme else { return text.to_owned() };
    let (dark, light) = if scheme == "dark" { (always, never) } else { (never, always) };
    text.replace("(prefers-color-scheme: dark)", dark)
        .replace("(prefers-color-scheme:dark)", dark)
        .replace("(prefers-color-scheme: light)", light)
        .replace("(prefers-color-scheme:light)", light)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    async fn told(css: &str, scheme: Option<&str>) -> (String, String) {
        let mut frame = Frame::plain("en").unwrap();
        frame.is_live = false;
        let page = rendered(&mut frame, Page::SignIn).unwrap();
        let response = framed(&page, &frame, css, scheme);
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (policy, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_draft_is_let_in_by_its_digest_and_ends_no_element() {
        let (policy, page) = told("a{}</style><script>alert(1)</script>", None).await;
        assert!(page.contains("<style>a{}<\\/style><script>alert(1)<\\/script></style></head>"), "{page}");
        let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
        assert!(policy.contains(&format!("'sha256-{}'", BASE64.encode(&Sha256::digest(style)))), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
        assert!(policy.starts_with("default-src 'none'; ") && policy.contains("form-action 'none'"), "{policy}");
        assert!(page.contains("<body inert class="), "{page}");
        assert!(!page.contains("<script type"), "{page}");
    }

    #[tokio::test]
    async fn a_theme_stands_whatever_the_browser_prefers() {
        let css = "@media (prefers-color-scheme: dark){a{}}";
        for (scheme, expected) in
            [(None, css), (Some("dark"), "@media (min-width: 0){a{}}"), (Some("light"), "@media (max-width: 0){a{}}")]
        {
            let (_, page) = told(css, scheme).await;
            assert!(page.contains(&format!("<style>{expected}</style>")), "{page}");
            assert_eq!(page.contains("color-scheme:dark !important"), scheme == Some("dark"));
        }
    }

    #[test]
    fn every_page_can_be_shown() {
        for page in [
            Page::SignIn,
            Page::SignInCode,
            Page::Register,
            Page::Consent,
            Page::VerificationCode,
            Page::ResetPassword,
            Page::Error,
        ] {
            let html = rendered(&mut Frame::plain("en").unwrap(), page).unwrap();
            assert!(html.contains("</head>") && html.contains("<body "), "{page:?}");
        }
    }
}
