"""Additions to what people see: a screen of the console, a page, and a language."""

SCREEN = """//! `/console/additions`: the additions.

use crate::Console;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console/additions", get(show_additions))
}

#[derive(Template)]
#[template(path = "additions.html")]
struct AdditionsPage {
    frame: Frame,
}

async fn show_additions(caller: Caller) -> Result<Response, Failure> {
    show(&caller, &AdditionsPage { frame: Frame::new(&caller, Section::Additions) })
}
"""

SCREEN_TEMPLATE = """{% extends "layout.html" %}
{% block title %}Additions{% endblock %}
{% block content %}
<div class="head"><h1>Additions</h1></div>
{% endblock %}
"""

PAGE = """//! `/addition`: the page of the addition.

use crate::failure::PageError;
use crate::frame::{Frame, PageContext};
use crate::headers::Forms;
use crate::page;
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use claimsmith_services::app::App;

/// The page.
#[derive(Debug, Template)]
#[template(path = "addition.html")]
pub(crate) struct AdditionPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
}

impl AdditionPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.addition.title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

/// Shows the page.
pub(super) async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Response, PageError> {
    let frame = Frame::load(&app, &mut app.db.read().await?, &PageContext::by(&headers)).await?;
    Ok(AdditionPage { frame: &frame }.answer())
}
"""

PAGE_TEMPLATE = """{% extends "layout.html" %}
{% import "parts/card.html" as card %}
{% block name %}addition{% endblock %}
{% block content %}
{{ card::head(self.title(), frame.t.addition.description) }}
{% endblock %}
"""

# A language that the pages do not have yet. Its texts are German ones in the copy.
TAG = "it"


def screen(add):
    # It serves no single operation, and its data is there without being furnished.
    add.leave("src/console/permissions.rs", "tests/browser/furnish.mjs")
    add.create("src/console/additions.rs", SCREEN)
    add.create("src/console/templates/additions.html", SCREEN_TEMPLATE)
    add.before("src/console/lib.rs", "mod administrators;", "mod additions;\n")
    add.before("src/console/lib.rs", ".merge(search::router())", "        .merge(additions::router())\n")
    sections = "src/console/section.rs"
    add.before(sections, "    Settings,", "    Additions,\n")
    add.replace(sections, '("Programs", &[', "Section::Webhooks]", "Section::Webhooks, Section::Additions]")
    add.before(sections, 'Self::Settings => "Settings"', '            Self::Additions => "Additions",\n')
    add.before(
        sections, 'Self::Settings => "/console/settings"', '            Self::Additions => "/console/additions",\n')
    add.before(
        sections, 'Self::Settings => "/api/configs/server"',
        '            Self::Additions => "/api/dashboard/health",\n')


def page(add):
    # It leads nowhere that other pages do not lead.
    add.leave("src/pages/tests/targets.txt")
    sign_in = "src/pages/sign_in"
    add.create(f"{sign_in}/addition.rs", PAGE)
    add.before(f"{sign_in}/mod.rs", "mod agree;", "pub(crate) mod addition;\n")
    add.before(
        f"{sign_in}/mod.rs", ".route(paths::SWITCH_ACCOUNT", "        .route(paths::ADDITION, get(addition::show))\n")
    add.create("src/pages/templates/addition.html", PAGE_TEMPLATE)
    add.before(
        "src/pages/paths.rs", "/// After signing out.", '/// The addition.\npub const ADDITION: &str = "/addition";\n')
    tests = "src/pages/tests/all_pages.rs"
    add.before(
        tests, "use crate::sign_in::backup_codes::BackupCodesPage;", "use crate::sign_in::addition::AdditionPage;\n")
    add.before(tests, '("not_found", ', '        ("addition", AdditionPage { frame }.render().unwrap()),\n')
    add.after(
        "tests/browser/tour.mjs", 'await open("/device/denied"', '  await open("/addition", "addition", "addition");\n')
    texts = "src/pages/texts"
    add.before(f"{texts}/mod.rs", "        not_found: NotFound", "        addition: Addition\n")
    add.before(
        f"{texts}/mod.rs", "/// An address without a page.",
        "    /// The addition.\n    Addition { title description }\n")
    for name in add.names(texts, ".toml"):
        add.before(
            f"{texts}/{name}", "[not_found]", '[addition]\ntitle = "Addition"\ndescription = "An addition."\n\n')


def language(add):
    for module, folder, file in (
        ("src/pages/texts/mod.rs", "src/pages/texts", f"{TAG}.toml"),
        ("src/services/messages/texts.rs", "src/services/messages/texts", f"texts/{TAG}.toml"),
    ):
        add.copy(f"{folder}/de.toml", f"{folder}/{TAG}.toml")
        add.lengthen(module, "const SOURCES: [")
        add.after(module, '    ("zh", include_str!(', f'    ("{TAG}", include_str!("{file}")),\n')
    for file in ("src/domain/documents/language.rs", "src/console/sign_in_experience/languages.rs"):
        add.lengthen(file, "const BUILT_IN: [")
        add.replace(file, "const BUILT_IN: [", '"zh"]', f'"zh", "{TAG}"]')
    add.before("tests/pages/languages.rs", '("nl", "en", ', f'        ("{TAG}", "{TAG}", "abgemeldet"),\n')
    for file, anchor in (
        ("tests/browser/matrix.mjs", "const LANGUAGES = "),
        ("tests/browser/stories/looks.mjs", "for (const language of ["),
    ):
        add.replace(file, anchor, '"zh"]', f'"zh", "{TAG}"]')
