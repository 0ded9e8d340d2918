//! Connectors to other services: their types, the fields of their configuration, their display settings and their
//! message templates.

pub mod metadata;
pub mod templates;

use super::message::MessageChannel;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// What a connector is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum ConnectorType {
    /// It sends e-mails.
    Email = "Email",
    /// It sends text messages.
    Sms = "Sms",
    /// It signs people in.
    Social = "Social",
}
}

impl From<MessageChannel> for ConnectorType {
    fn from(channel: MessageChannel) -> Self {
        match channel {
            MessageChannel::Email => Self::Email,
            MessageChannel::Sms => Self::Sms,
        }
    }
}

/// Where a social connector works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Platform {
    /// In applications of a device.
    Native,
    /// Everywhere.
    Universal,
    /// In browsers.
    Web,
}

/// How a field of a configuration is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum FormItemType {
    /// One line.
    Text,
    /// Several lines.
    MultilineText,
    /// A number.
    Number,
    /// Yes or no.
    Switch,
    /// JSON.
    Json,
}

/// A field of a configuration.
#[derive(Clone, Copy, Debug)]
pub struct FormItem {
    /// Its key.
    pub key: &'static str,
    /// How it is entered.
    pub kind: FormItemType,
    /// What stands beside it.
    pub label: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it is a secret.
    pub is_confidential: bool,
}

impl FormItem {
    /// An optional field.
    #[must_use]
    pub const fn optional(key: &'static str, kind: FormItemType, label: &'static str) -> Self {
        Self { key, kind, label, required: false, is_confidential: false }
    }

    /// A required field.
    #[must_use]
    pub const fn required(key: &'static str, kind: FormItemType, label: &'static str) -> Self {
        Self { required: true, ..Self::optional(key, kind, label) }
    }

    /// Marks the field as a secret.
    #[must_use]
    pub const fn confidential(self) -> Self {
        Self { is_confidential: true, ..self }
    }
}
