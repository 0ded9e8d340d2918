//! Fields of a profile, as the API describes them, and the types that there are.

use super::PAGE;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use serde::Deserialize;

/// The operations on all of them.
pub(super) const PATH: &str = "/api/custom-profile-fields";

/// A type of fields.
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

    /// A body that makes a field of it, as far as a command shows it.
    pub(super) fn example(&self) -> String {
        example(self.name).replacen('{', "{\"name\": \"…\", ", 1)
    }

    /// Where a field of it is made.
    pub(super) fn new_page(&self) -> String {
        format!("/console/sign-in-experience/new-profile-field/{}", self.name)
    }
}

/// A field.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ProfileField {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    label: String,
    pub(super) required: bool,
}

impl ProfileField {
    pub(super) async fn all(caller: &Caller) -> Result<Vec<Self>, Failure> {
        caller.get(PATH).await
    }

    pub(super) fn page(&self) -> String {
        page_of(&self.name)
    }

    /// The operations on it.
    pub(super) fn path(&self) -> String {
        path_of(&self.name)
    }

    /// A body that changes it, as far as a command shows it.
    pub(super) fn example(&self) -> String {
        example(&self.kind)
    }

    /// What people read.
    pub(super) fn title(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    pub(super) fn kind_title(&self) -> &str {
        Type::find(&self.kind).map_or(self.kind.as_str(), |known| known.title)
    }
}

/// A body that changes a field of a type, as far as a command shows it.
fn example(kind: &str) -> String {
    format!("{{\"type\": \"{kind}\", \"required\": false, \"config\": {{…}}}}")
}

/// The operations on one of them.
pub(super) fn path_of(name: &str) -> String {
    format!("{PATH}/{}", segment(name))
}

pub(super) fn page_of(name: &str) -> String {
    format!("{PAGE}/{}", segment(name))
}
