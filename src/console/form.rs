//! The fields of a form: one value for each name unless a screen asks for all.

/// The fields of a form, in the order sent.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Fields, without the session's token.
    pub(crate) fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// The first value of a field, without spaces around it; empty if it was not sent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The first value of a field as it was sent.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The first value of a field; nothing if it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|value| !value.is_empty())
    }

    /// Whether a box is ticked.
    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// Every value of a field that is not empty.
    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let values = self.0.iter().filter(move |(known, _)| known == name);
        values.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The lines of a text field that are not empty.
    pub(crate) fn lines(&self, name: &str) -> Vec<&str> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }

    /// All fields, in the order sent.
    pub(crate) fn fields(&self) -> &[(String, String)] {
        &self.0
    }
}
