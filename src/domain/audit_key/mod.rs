//! The keys of the audit log: what was done, and for some keys through which interface. All keys are in one table.
//!
//! Stored entries are read by the text of their key: older entries may have a key that is no longer written.

/// Defines the enums of keys, operations and steps, with the texts of the composed keys.
macro_rules! audit_keys {
    (
        keys { $($Key:ident = $key:literal,)* }
        operations { $($Operation:ident = $operation:literal,)* }
        steps { $($Step:ident = $step:literal,)* }
    ) => {
        /// The key of an audit entry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditKey {
            $(#[doc = concat!("`", $key, "`.")] $Key,)*
            /// An operation that several interfaces have, such as `Management.User.Create`.
            Operation(AuditInterface, AuditOperation),
            /// A step of an interaction, such as `Interaction.SignIn.Submit`.
            Step(InteractionEvent, AuditStep),
        }

        /// An operation that several interfaces have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditOperation {
            $(#[doc = concat!("`", $operation, "`.")] $Operation,)*
        }

        /// A step of an interaction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditStep {
            $(#[doc = concat!("`", $step, "`.")] $Step,)*
        }

        impl AuditKey {
            /// All keys.
            pub const ALL: &[Self] = &[
                $(Self::$Key,)*
                $(
                    Self::Operation(AuditInterface::Account, AuditOperation::$Operation),
                    Self::Operation(AuditInterface::Interaction, AuditOperation::$Operation),
                    Self::Operation(AuditInterface::Management, AuditOperation::$Operation),
                    Self::Operation(AuditInterface::Operator, AuditOperation::$Operation),
                    Self::Operation(AuditInterface::Server, AuditOperation::$Operation),
                )*
                $(
                    Self::Step(InteractionEvent::SignIn, AuditStep::$Step),
                    Self::Step(InteractionEvent::Register, AuditStep::$Step),
                    Self::Step(InteractionEvent::ForgotPassword, AuditStep::$Step),
                )*
            ];

            /// The text that is stored and shown.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$Key => $key,)*
                    Self::Operation(interface, operation) => match operation {
                        $(AuditOperation::$Operation => match interface {
                            AuditInterface::Account => concat!("Account.", $operation),
                            AuditInterface::Interaction => concat!("Interaction.", $operation),
                            AuditInterface::Management => concat!("Management.", $operation),
                            AuditInterface::Operator => concat!("Operator.", $operation),
                            AuditInterface::Server => concat!("Server.", $operation),
                        },)*
                    },
                    Self::Step(event, step) => match step {
                        $(AuditStep::$Step => match event {
                            InteractionEvent::SignIn => concat!("Interaction.SignIn.", $step),
                            InteractionEvent::Register => concat!("Interaction.Register.", $step),
                            InteractionEvent::ForgotPassword => concat!("Interaction.ForgotPassword.", $step),
                        },)*
                    },
                }
            }
        }
    };
}

mod suggested;
mod table;

pub use suggested::SUGGESTED;
pub use table::{AuditKey, AuditOperation, AuditStep};

use std::fmt;

/// The interface through which an operation was done: the first part of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuditInterface {
    /// The Account API or the account page.
    Account,
    /// The pages of sign-in and registration.
    Interaction,
    /// The Management API.
    Management,
    /// The terminal of the server.
    Operator,
    /// The server by itself.
    Server,
}

impl AuditKey {
    /// The key of an operation of users on their own account.
    #[must_use]
    pub const fn of_account(operation: AuditOperation) -> Self {
        Self::Operation(AuditInterface::Account, operation)
    }

    /// The key with this text, if it is still written.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.text() == text)
    }
}

impl fmt::Display for AuditKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_text_belongs_to_one_key() {
        let texts: HashSet<&str> = AuditKey::ALL.iter().map(|key| key.text()).collect();
        assert_eq!(texts.len(), AuditKey::ALL.len());
        for key in AuditKey::ALL {
            assert_eq!(AuditKey::find(key.text()), Some(*key));
            assert_eq!(key.to_string(), key.text());
        }
        assert_eq!(AuditKey::find("TriggerHook.User.Created"), None, "a key of older versions");
    }

    #[test]
    fn a_variant_is_named_like_its_text() {
        for key in AuditKey::ALL {
            let name: String = format!("{key:?}").chars().filter(char::is_ascii_alphanumeric).collect();
            let name = match key {
                AuditKey::Operation(..) => name.replacen("Operation", "", 1),
                AuditKey::Step(..) => name.replacen("Step", "Interaction", 1),
                _ => name,
            };
            assert_eq!(name, key.text().replace('.', ""));
        }
    }

    #[test]
    fn composed_keys_begin_with_their_interface() {
        use AuditInterface::{Account, Interaction, Management, Operator, Server};
        let key = |interface| AuditKey::Operation(interface, AuditOperation::UserCreate).text();
        assert_eq!(
            [Account, Interaction, Management, Operator, Server].map(key),
            [
                "Account.User.Create",
                "Interaction.User.Create",
                "Management.User.Create",
                "Operator.User.Create",
                "Server.User.Create",
            ]
        );
    }
}
