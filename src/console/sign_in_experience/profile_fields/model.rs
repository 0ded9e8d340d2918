//! Profile fields as the API describes them, and the available types.

use super::PAGE;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use claimsmith_api::custom_profile_fields::CustomProfileFieldView;

/// The API path of all profile fields.
pub(super) const PATH: &str = "/api/custom-profile-fields";

/// A type of profile field.
pub(super) struct Type {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
}

pub(super) const TYPES: &[Type] = &[
    Type { name: "Text", title: "Text", about: "One line, with a shortest and a longest length." },
    Type { name: "Number", title: "Number", about: "Between a least and a largest one." },
    Type { name: "Date", title: "Date", about: "In a format of your choice." },
    Type { name: "Checkbox", title: "Box to tick", about: "Yes or no." },
    Type { name: "Select", title: "Choice", about: "One of a list." },
    Type { name: "Url", title: "URL", about: "An http or https address." },
    Type { name: "Regex", title: "Pattern", about: "A text that a regular expression matches." },
    Type { name: "Address", title: "Postal address", about: "Of parts such as street and country." },
    Type { name: "Fullname", title: "Full name", about: "Of given name, middle name and family name." },
];

impl Type {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        TYPES.iter().find(|known| known.name == name)
    }

    /// An abbreviated request body that creates such a field, for a command.
    pub(super) fn example(&self) -> String {
        example(self.name).replacen('{', "{\"name\": \"…\", ", 1)
    }

    /// The path of the page that creates such a field.
    pub(super) fn new_page(&self) -> String {
        format!("/console/sign-in-experience/new-profile-field/{}", self.name)
    }
}

/// What screens say of a profile field.
pub(super) trait FieldFacts {
    fn page(&self) -> String;
    /// Its API path.
    fn path(&self) -> String;
    /// An abbreviated request body that changes it, for a command.
    fn example(&self) -> String;
    /// The label, or the name if there is none.
    fn title(&self) -> &str;
    fn kind_title(&self) -> &str;
}

impl FieldFacts for CustomProfileFieldView {
    fn page(&self) -> String {
        page_of(&self.name)
    }

    fn path(&self) -> String {
        path_of(&self.name)
    }

    fn example(&self) -> String {
        example(self.kind.as_str())
    }

    fn title(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    fn kind_title(&self) -> &str {
        Type::find(self.kind.as_str()).map_or(self.kind.as_str(), |known| known.title)
    }
}

pub(super) async fn all(caller: &Caller) -> Result<Vec<CustomProfileFieldView>, Failure> {
    caller.get(PATH).await
}

/// An abbreviated request body that changes a field of a type, for a command.
fn example(kind: &str) -> String {
    format!("{{\"type\": \"{kind}\", \"required\": false, \"config\": {{…}}}}")
}

/// The API path of a profile field.
pub(super) fn path_of(name: &str) -> String {
    format!("{PATH}/{}", segment(name))
}

pub(super) fn page_of(name: &str) -> String {
    format!("{PAGE}/{}", segment(name))
}
