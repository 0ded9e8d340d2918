//! `/console/plugins/examples`: the plugins that come with the server, to read and to begin with.

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
/// What a new plugin begins with unless somebody chooses: no golden case is in the way of what they write.
const SMALLEST: &str = "\
// Adds claims to tokens: what this function returns stands in the token. It is asked for every access token.
export const getCustomJwtClaims = ({ context }) => ({
  hello: context.user?.name ?? \"world\",
});
";

/// The types of what plugins are given, for whoever writes one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Types {
    pub files: Vec<TypeFile>,
}

/// A file of types.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypeFile {
    pub name: String,
    pub text: String,
}

impl Types {
    /// Reads them; none where the server has none.
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
    /// The templates of a language.
    fn of(&self, language: &str) -> impl Iterator<Item = &Example> {
        self.templates.iter().filter(move |template| template.language == language)
    }
}

pub(super) async fn show_examples(caller: Caller) -> Result<Response, Failure> {
    let examples = caller.get_if_allowed(EXAMPLES).await?.unwrap_or_default();
    let templates = caller.get_if_allowed(&format!("{EXAMPLES}/templates")).await?.unwrap_or_default();
    show(&caller, &ExamplesPage { frame: Frame::new(&caller, Section::Plugins), examples, templates })
}

/// What a new plugin begins with, as the query says.
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

    /// The description without its first sentence, where that is the title.
    pub(super) fn rest(&self) -> &str {
        let joined = self.description.trim();
        joined.strip_prefix(self.title.trim()).unwrap_or(joined).trim()
    }
}

/// A language, as people read it.
pub(super) fn language_title(language: &str) -> &'static str {
    match language {
        "javascript" => "JavaScript",
        "typescript" => "TypeScript",
        "wasm" => "component",
        _ => "",
    }
}
