//! `/console/plugins/examples`: the bundled example plugins, to read or to start from.

use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::draft::Draft;
use crate::plugins::model::{Example, kind_title};
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use serde::Deserialize;

const EXAMPLES: &str = "/api/plugin-examples";
/// The default source of a new plugin, without golden cases, which would get in the way of edits.
const SMALLEST: &str = "\
// Adds claims to tokens: what this function returns stands in the token. It is asked for every access token.
export const getCustomJwtClaims = ({ context }) => ({
  hello: context.user?.name ?? \"world\",
});
";

/// Type declarations of the plugin API, for the editor.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Types {
    pub files: Vec<TypeFile>,
}

/// A file of type declarations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypeFile {
    pub name: String,
    pub text: String,
}

impl Types {
    /// Reads the type declarations; empty if the server has none.
    pub(super) async fn read(caller: &Caller) -> Result<Self, Failure> {
        Ok(caller.get_if_allowed(&format!("{EXAMPLES}/types")).await?.unwrap_or_default())
    }
}

#[derive(Template)]
#[template(path = "plugins/examples.html")]
struct ExamplesPage {
    frame: Frame,
    examples: Vec<Example>,
    templates: Vec<Example>,
}

impl ExamplesPage {
    /// The templates for a language.
    fn of(&self, language: &str) -> impl Iterator<Item = &Example> {
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
        let example: Example = caller.get(&format!("{EXAMPLES}/{}", segment(example))).await?;
        let own = format!("my-{}", example.name);
        return Ok(Draft::of_example(example, if name.is_empty() { &own } else { name }));
    }
    let language = caller.query("language").unwrap_or("javascript");
    let templates: Vec<Example> = match caller.query("template") {
        Some(_) => caller.get_if_allowed(&format!("{EXAMPLES}/templates")).await?.unwrap_or_default(),
        None => Vec::new(),
    };
    let is_asked_for =
        |template: &Example| caller.query("template") == Some(&*template.variant) && template.language == language;
    let smallest = || Example { language: "javascript".to_owned(), source: SMALLEST.to_owned(), ..Example::default() };
    let found = templates.into_iter().find(is_asked_for);
    Ok(Draft::of_example(found.unwrap_or_else(smallest), name))
}

impl Example {
    pub(super) fn kind_title(&self) -> &'static str {
        kind_title(&self.kind)
    }

    pub(super) fn language_title(&self) -> &'static str {
        language_title(&self.language)
    }

    /// The description without the title that it starts with.
    pub(super) fn rest(&self) -> &str {
        let joined = self.description.trim();
        joined.strip_prefix(self.title.trim()).unwrap_or(joined).trim()
    }
}

/// The display name of a language.
pub(super) fn language_title(language: &str) -> &'static str {
    match language {
        "javascript" => "JavaScript",
        "typescript" => "TypeScript",
        "wasm" => "component",
        _ => "",
    }
}
