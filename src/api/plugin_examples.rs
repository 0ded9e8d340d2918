//! Bodies of `/api/plugin-examples`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A plugin to learn from, or to begin with.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "name": "roles", "title": "The names of the user's roles, for resource servers that decide by role.",
    "description": "The names of the user's roles, for resource servers that decide by role.", "kind": "claims",
    "language": "typescript", "source": "export const getCustomJwtClaims = …", "settings": "order = 20\n", "cases": "[]"
}))]
pub struct ExampleView {
    /// Its name.
    pub name: String,
    /// The first sentence of its first comment.
    pub title: String,
    /// Its first comment.
    pub description: String,
    /// What it is for.
    pub kind: String,
    /// `javascript` or `typescript`.
    pub language: String,
    /// The text.
    pub source: String,
    /// TOML.
    pub settings: String,
    /// JSON.
    pub cases: String,
}

/// What a new plugin begins with.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "variant": "ticket", "title": "The ticket of an impersonation becomes a claim", "kind": "claims",
    "language": "javascript", "source": "export const getCustomJwtClaims = …", "settings": "order = 0\n", "cases": "[]"
}))]
pub struct TemplateView {
    /// `ticket`, `lookup`, `cached`, `mask` or `message`.
    pub variant: String,
    /// What it does.
    pub title: String,
    /// What it is for.
    pub kind: String,
    /// `javascript` or `typescript`.
    pub language: String,
    /// The text.
    pub source: String,
    /// TOML.
    pub settings: String,
    /// JSON.
    pub cases: String,
}

/// The types of the contract, for editors.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "files": [{ "name": "claimsmith.d.ts", "text": "export type GetCustomJwtClaims = …" }] }))]
pub struct TypesView {
    /// The files, of which the first uses the others.
    pub files: Vec<TypesFile>,
}

/// A file of declarations.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TypesFile {
    /// Its name.
    pub name: String,
    /// TypeScript.
    pub text: String,
}
