//! Conversions of refusals of accounts, passwords and messages to refusals of a step, and of failures of upstreams to
//! their error codes.

use super::InteractionRefusal;
use crate::accounts;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_services::federation::FederationFailure;

crate::from_failures!(InteractionRefusal, |error| Self::Failed(Box::new(error)), qrcode::types::QrError);

impl From<accounts::AccountRefusal> for InteractionRefusal {
    fn from(refusal: accounts::AccountRefusal) -> Self {
        match refusal {
            accounts::AccountRefusal::UnknownUser(_) => Self::UnknownUser,
            // Only these identifiers can be taken in a step.
            accounts::AccountRefusal::Taken(IdentifierType::Email) => Self::EmailTaken,
            accounts::AccountRefusal::Taken(IdentifierType::Phone) => Self::PhoneTaken,
            accounts::AccountRefusal::Taken(IdentifierType::Username) | accounts::AccountRefusal::Conflict => {
                Self::UsernameTaken
            }
            accounts::AccountRefusal::Username(issue) => Self::Username(issue),
            accounts::AccountRefusal::ImpossiblePhone => Self::ImpossibleIdentifier(IdentifierType::Phone),
            accounts::AccountRefusal::ImpossibleEmail => Self::ImpossibleIdentifier(IdentifierType::Email),
            accounts::AccountRefusal::PasskeyTaken => Self::InvalidPasskey,
            accounts::AccountRefusal::IdentityTaken => Self::IdentityTaken,
            accounts::AccountRefusal::PasswordsBusy => Self::PasswordsBusy,
            accounts::AccountRefusal::TooMuchData => Self::TooMuchData,
            accounts::AccountRefusal::FactorInUse(kind) => Self::FactorInUse(kind),
            accounts::AccountRefusal::BackupCodesAlone => Self::BackupCodesAlone,
            accounts::AccountRefusal::WrongPassword | accounts::AccountRefusal::UnverifiablePassword(_) => {
                Self::InvalidCredentials
            }
            accounts::AccountRefusal::Failed(error) => Self::Failed(error),
            other => Self::Failed(format!("an interaction cannot meet {other:?}").into()),
        }
    }
}

/// The error code of an upstream's failure.
pub(super) fn upstream(failure: &FederationFailure) -> ApiCode {
    match failure {
        FederationFailure::Unreachable(_)
        | FederationFailure::Slow
        | FederationFailure::FailedBefore
        | FederationFailure::Status(_) => ApiCode::ConnectorGeneralUpstream,
        FederationFailure::Malformed(_) => ApiCode::ConnectorInvalidResponse,
        FederationFailure::Configuration(_) => ApiCode::ConnectorInvalidConfig,
        FederationFailure::Issuer | FederationFailure::Profile(_) | FederationFailure::NoId => {
            ApiCode::ConnectorAuthorizationFailed
        }
        FederationFailure::Code(_) => ApiCode::ConnectorSocialAuthCodeInvalid,
        FederationFailure::IdToken(_) => ApiCode::ConnectorSocialInvalidIdToken,
    }
}
