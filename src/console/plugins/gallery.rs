//! `/console/plugins/examples`: the bundled example plugins, to read or to start from.

use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::draft::Draft;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::plugin_examples::{ExampleView, TemplateView, TypesFile, TypesView};

const EXAMPLES: &str = "/api/plugin-examples";
/// The default source of a new plugin, without golden cases, which would get in the way of edits.
const SMALLEST: &str = "\
// Adds claims to tokens: what this function returns stands in the token. It is asked for every access token.
export const getCustomJwtClaims = ({ context }) => ({
  hello: context.user?.name ?? \"world\",
});
";

/// The files of type declarations of the plugin API, for the editor; none if the server has none.
pub(super) async fn types(caller: &Caller) -> Result<Vec<TypesFile>, Failure> {
    let types: Option<TypesView> = caller.get_if_allowed(&format!("{EXAMPLES}/types")).await?;
    Ok(types.map(|types| types.files).unwrap_or_default())
}

#[derive(Template)]
#[template(path = "plugins/examples.html")]
struct ExamplesPage {
    frame: Frame,
    examples: Vec<ExampleView>,
    templates: Vec<TemplateView>,
}

impl ExamplesPage {
    /// The templates for a language.
    fn of(&self, language: &str) -> impl Iterator<Item = &TemplateView> {
        self.templates.iter().filter(move |template| template.language == language)
    }
}

pub(super) async fn show_examples(caller: Caller) -> Result<Response, Failure> {
    let examples = caller.get_if_allowed(EXAMPLES).await?.unwrap_or_default();
    let templates = caller.get_if_allowed(&format!("{EXAMPLES}/templates")).await?.unwrap_or_default();
    show(&caller, &ExamplesPage { frame: Frame::new(&caller, Section::Plugins), examples, templates })
}

/// The initial draft of a new plugin, from the query.
pub(super) async fn beginning(caller: &Caller) -> Result<Draft, Failure> {
    let name = caller.query("name").unwrap_or_default();
    if let Some(example) = caller.query("example") {
        let example: ExampleView = caller.get(&format!("{EXAMPLES}/{}", segment(example))).await?;
        let own = format!("my-{}", example.name);
        let name = if name.is_empty() { own } else { name.to_owned() };
        let ExampleView { language, source, settings, cases, .. } = example;
        return Ok(Draft { name, language, source, settings, cases, ..Draft::default() });
    }
    let language = caller.query("language").unwrap_or("javascript");
    let templates: Vec<TemplateView> = match caller.query("template") {
        Some(_) => caller.get_if_allowed(&format!("{EXAMPLES}/templates")).await?.unwrap_or_default(),
        None => Vec::new(),
    };
    let is_asked_for =
        |template: &TemplateView| caller.query("template") == Some(&*template.variant) && template.language == language;
    let found = templates.into_iter().find(is_asked_for);
    let name = name.to_owned();
    Ok(match found {
        Some(TemplateView { language, source, settings, cases, .. }) => {
            Draft { name, language, source, settings, cases, ..Draft::default() }
        }
        None => Draft { name, language: "javascript".to_owned(), source: SMALLEST.to_owned(), ..Draft::default() },
    })
}

/// The description of an example without the title that it starts with.
fn rest(example: &ExampleView) -> &str {
    let joined = example.description.trim();
    joined.strip_prefix(example.title.trim()).unwrap_or(joined).trim()
}
