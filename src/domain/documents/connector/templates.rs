//! Message templates of the operator, in a connector's configuration and in `email-templates`.

use crate::documents::message::TemplateType;
use crate::documents::text::Text;
use serde::{Deserialize, Serialize};

/// Maximum characters of a subject.
const MAX_SUBJECT_CHARS: usize = 256;
/// Maximum number of templates of a connector.
pub const MAX_TEMPLATES: usize = 64;
/// Maximum characters of a text.
const MAX_CONTENT_CHARS: usize = 65_536;

/// What a text is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum ContentType {
    /// Plain text.
    #[serde(rename = "text/plain")]
    Plain,
    /// HTML: what is put into it is escaped.
    #[default]
    #[serde(rename = "text/html")]
    Html,
}

/// A template of a connector's configuration, for every language.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigTemplate {
    /// The type of message.
    pub usage_type: TemplateType,
    /// The subject, for emails.
    #[serde(default)]
    pub subject: Option<Text<1, MAX_SUBJECT_CHARS>>,
    /// The text.
    pub content: Text<1, MAX_CONTENT_CHARS>,
    /// The format of the text.
    #[serde(default)]
    pub content_type: Option<ContentType>,
}

/// What an e-mail says, in one language.
#[derive(Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateDetails {
    /// The subject.
    #[schema(value_type = String, min_length = 1, max_length = 256)]
    pub subject: Text<1, MAX_SUBJECT_CHARS>,
    /// The text.
    #[schema(value_type = String, min_length = 1, max_length = 65536)]
    pub content: Text<1, MAX_CONTENT_CHARS>,
    /// What it is written in; HTML when it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content_type: Option<ContentType>,
    /// Where answers go, such as `{{application.name}} <help@example.com>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, min_length = 1, max_length = 256)]
    pub reply_to: Option<Text<1, 256>>,
    /// The name of the sender; the address is the connector's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, min_length = 1, max_length = 256)]
    pub send_from: Option<Text<1, 256>>,
}
