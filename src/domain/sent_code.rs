//! A code that was sent to somebody in an interaction: where to, what for, whether it came back, and whom it was about. The
//! code itself is not here.

use super::id::UserId;
use super::identifier::Identifier;
use super::interaction_event::InteractionEvent;
use crate::documents::message::TemplateType;
use serde::{Deserialize, Serialize};

/// A code that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentCode {
    /// As somebody typed it.
    pub identifier: Identifier,
    /// Where the code went: the address as the account has it, which may be written otherwise.
    pub recipient: String,
    /// What for.
    pub template_type: TemplateType,
    /// Whether it came back.
    pub verified: bool,
    /// Whose second factor it is, or who was identified by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
}

impl SentCode {
    /// Whether it came back, and was sent for what somebody does now: forgotten passwords are apart from all else.
    #[must_use]
    pub fn proves(&self, event: InteractionEvent) -> bool {
        let fits = match event {
            InteractionEvent::SignIn | InteractionEvent::Register => {
                matches!(self.template_type, TemplateType::SignIn | TemplateType::Register)
            }
            InteractionEvent::ForgotPassword => self.template_type == TemplateType::ForgotPassword,
        };
        self.verified && fits
    }

    /// Whether it came back, and lets somebody have the address or the number.
    #[must_use]
    pub fn links(&self) -> bool {
        let fits = matches!(self.template_type, TemplateType::SignIn | TemplateType::Register | TemplateType::BindMfa);
        self.verified && fits
    }
}
