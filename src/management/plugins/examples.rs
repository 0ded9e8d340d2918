//! `/api/plugin-examples`: the default plugins, the templates of new plugins, and the types of the contract, for an
//! editor. All of it is part of the binary.

use super::view::spelled;
use crate::refusals::{AccessRefused, NotThere};
use axum::Json;
use claimsmith_api::plugin_examples::{ExampleView, TemplateView, TypesFile, TypesView};
use claimsmith_domain::management::PluginsRead;
use claimsmith_runtime::Kind;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// The name of a new plugin in the templates, which its author replaces.
const NEW_NAME: &str = "my-plugin";

/// A plugin of the folder `plugins`.
struct Example {
    name: &'static str,
    kind: Kind,
    language: &'static str,
    ending: &'static str,
    source: &'static str,
    settings: &'static str,
    cases: &'static str,
}

macro_rules! example {
    ($name:literal, $kind:ident, $language:literal, $ending:literal) => {
        Example {
            name: $name,
            kind: Kind::$kind,
            language: $language,
            ending: $ending,
            source: include_str!(concat!("../../../plugins/", $name, ".", $ending)),
            settings: include_str!(concat!("../../../plugins/", $name, ".toml")),
            cases: include_str!(concat!("../../../plugins/", $name, ".cases.json")),
        }
    };
}

static EXAMPLES: [Example; 9] = [
    example!("impersonation", Claims, "javascript", "js"),
    example!("impersonation-guard", Claims, "javascript", "js"),
    example!("roles", Claims, "typescript", "ts"),
    example!("subscription", Claims, "javascript", "js"),
    example!("redact", WebhookTransform, "javascript", "js"),
    example!("cloudevents", WebhookTransform, "typescript", "ts"),
    example!("slack", WebhookTransform, "javascript", "js"),
    example!("postmark", Message, "javascript", "js"),
    example!("twilio", Message, "typescript", "ts"),
];

/// The files of the default plugins as they are in the folder `plugins`: names and contents.
pub fn default_files() -> impl Iterator<Item = (String, &'static str)> {
    EXAMPLES.iter().flat_map(|Example { name, ending, source, settings, cases, .. }| {
        [(*ending, *source), ("toml", *settings), ("cases.json", *cases)]
            .map(|(ending, text)| (format!("{name}.{ending}"), text))
    })
}

/// The template of a new plugin, the same in every language except for the source.
struct Template {
    variant: &'static str,
    kind: Kind,
    title: &'static str,
    /// By language.
    sources: [(&'static str, &'static str); 2],
    settings: &'static str,
    cases: &'static str,
}

macro_rules! template {
    ($variant:literal, $kind:ident, $title:literal) => {
        Template {
            variant: $variant,
            kind: Kind::$kind,
            title: $title,
            sources: [
                ("javascript", include_str!(concat!("../../../sdk/javascript/template/", $variant, ".js"))),
                ("typescript", include_str!(concat!("../../../sdk/typescript/template/", $variant, ".ts"))),
            ],
            settings: include_str!(concat!("../../../sdk/template/", $variant, ".toml")),
            cases: include_str!(concat!("../../../sdk/template/", $variant, ".cases.json")),
        }
    };
}

const TEMPLATES: [Template; 5] = [
    template!("ticket", Claims, "The ticket of an impersonation becomes a claim"),
    template!("lookup", Claims, "The answer of another server becomes a claim"),
    template!("cached", Claims, "An answer of another server is kept for five minutes, and its API key is never seen"),
    template!("mask", WebhookTransform, "Personal data is removed from deliveries"),
    template!("message", Message, "Text messages are sent by a provider"),
];

/// The types of the contract.
const TYPES: [(&str, &str); 2] = [
    ("claimsmith.d.ts", include_str!("../../../sdk/typescript/claimsmith.d.ts")),
    ("shapes.d.ts", include_str!("../../../sdk/typescript/shapes.d.ts")),
];

impl Example {
    fn view(&self) -> ExampleView {
        let description = first_comment(self.source);
        let paragraph = description.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let title = match paragraph.split_once(". ") {
            Some((sentence, _)) => format!("{sentence}."),
            None => paragraph,
        };
        ExampleView {
            name: self.name.to_owned(),
            title,
            description,
            kind: spelled(self.kind),
            language: self.language.to_owned(),
            source: self.source.to_owned(),
            settings: self.settings.to_owned(),
            cases: self.cases.to_owned(),
        }
    }
}

impl Template {
    fn views(&self) -> impl Iterator<Item = TemplateView> {
        let filled = |text: &str| text.replace("{{name}}", NEW_NAME);
        self.sources.iter().map(move |(language, source)| TemplateView {
            variant: self.variant.to_owned(),
            title: self.title.to_owned(),
            kind: spelled(self.kind),
            language: (*language).to_owned(),
            source: filled(source),
            settings: filled(self.settings),
            cases: filled(self.cases),
        })
    }
}

/// The comment at the start of a source, without its markers.
fn first_comment(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Lists the plugins that come with the server, with source, settings and golden cases.
#[utoipa::path(
    get, path = "/api/plugin-examples", tag = "Plugins",
    responses((status = 200, description = "The plugins", body = Vec<ExampleView>), AccessRefused),
)]
pub(super) async fn list_plugin_examples(_: Management<PluginsRead>) -> Json<Vec<ExampleView>> {
    Json(EXAMPLES.iter().map(Example::view).collect())
}

/// Lists what a new plugin begins with, in JavaScript and TypeScript.
#[utoipa::path(
    get, path = "/api/plugin-examples/templates", tag = "Plugins",
    responses((status = 200, description = "The templates", body = Vec<TemplateView>), AccessRefused),
)]
pub(super) async fn list_plugin_templates(_: Management<PluginsRead>) -> Json<Vec<TemplateView>> {
    Json(TEMPLATES.iter().flat_map(Template::views).collect())
}

/// Shows the types of what plugins are given and answer, in TypeScript.
#[utoipa::path(
    get, path = "/api/plugin-examples/types", tag = "Plugins",
    responses((status = 200, description = "The types", body = TypesView), AccessRefused),
)]
pub(super) async fn show_plugin_types(_: Management<PluginsRead>) -> Json<TypesView> {
    let file = |(name, text): (&str, &str)| TypesFile { name: name.to_owned(), text: text.to_owned() };
    Json(TypesView { files: TYPES.map(file).to_vec() })
}

/// Shows a plugin that comes with the server.
#[utoipa::path(
    get, path = "/api/plugin-examples/{name}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses((status = 200, description = "The plugin", body = ExampleView), AccessRefused, NotThere),
)]
pub(super) async fn show_plugin_example(
    _: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<ExampleView>, ApiError> {
    let found = EXAMPLES.iter().find(|example| example.name == name);
    found.map(|example| Json(example.view())).ok_or_else(|| ApiError::not_found("example plugin", &name))
}
