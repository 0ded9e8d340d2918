//! A verification code sent in an interaction: its recipient, purpose, state and user; not the code itself.

use super::id::UserId;
use super::identifier::Identifier;
use super::interaction_event::InteractionEvent;
use crate::documents::message::TemplateType;
use serde::{Deserialize, Serialize};

/// A code that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentCode {
    /// The identifier as entered.
    pub identifier: Identifier,
    /// The recipient as stored in the account, which may be spelled differently.
    pub recipient: String,
    /// The purpose.
    pub template_type: TemplateType,
    /// Whether the correct code was entered.
    pub verified: bool,
    /// The user whose second factor it is, or who was identified by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
}

impl SentCode {
    /// Whether it is verified and was sent for this event. Codes for password reset are valid only for that.
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

    /// Whether it is verified and proves ownership, so that the address or number can be added to the account.
    #[must_use]
    pub fn links(&self) -> bool {
        let fits = matches!(self.template_type, TemplateType::SignIn | TemplateType::Register | TemplateType::BindMfa);
        self.verified && fits
    }
}
