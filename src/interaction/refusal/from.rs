//! Refusals of accounts, passwords and messages, as refusals of a step.

use super::Refusal;
use crate::accounts;
use crate::domain::identifier::IdentifierType;
use std::error::Error;

impl<E: Error + Send + Sync + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<accounts::Refusal> for Refusal {
    fn from(refusal: accounts::Refusal) -> Self {
        match refusal {
            accounts::Refusal::UnknownUser(_) => Self::UnknownUser,
            // Nothing else is given here that could be somebody's.
            accounts::Refusal::Taken(accounts::Identifier::Email) => Self::EmailTaken,
            accounts::Refusal::Taken(accounts::Identifier::Phone) => Self::PhoneTaken,
            accounts::Refusal::Taken(accounts::Identifier::Username) | accounts::Refusal::Conflict => {
                Self::UsernameTaken
            }
            accounts::Refusal::ImpossiblePhone => Self::ImpossibleIdentifier(IdentifierType::Phone),
            accounts::Refusal::PasskeyTaken => Self::InvalidPasskey,
            accounts::Refusal::IdentityTaken => Self::IdentityTaken,
            accounts::Refusal::PasswordsBusy => Self::PasswordsBusy,
            accounts::Refusal::FactorInUse(kind) => Self::FactorInUse(kind),
            accounts::Refusal::BackupCodesAlone => Self::BackupCodesAlone,
            accounts::Refusal::WrongPassword | accounts::Refusal::UnverifiablePassword(_) => Self::InvalidCredentials,
            accounts::Refusal::Failed(error) => Self::Failed(error),
            other => Self::Failed(format!("an interaction cannot meet {other:?}").into()),
        }
    }
}
