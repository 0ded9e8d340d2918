//! The keys of the audit log that the console suggests as a filter; `*` matches all keys with this beginning.

use super::{AuditInterface, AuditKey, AuditOperation};

/// The suggested keys, in the order of their texts.
pub const SUGGESTED: &[&str] = &[
    "Account.*",
    AuditKey::Bootstrap.text(),
    "ExchangeTokenBy.*",
    AuditKey::ExchangeTokenByAuthorizationCode.text(),
    AuditKey::ExchangeTokenByClientCredentials.text(),
    AuditKey::ExchangeTokenByDeviceCode.text(),
    AuditKey::ExchangeTokenByRefreshToken.text(),
    AuditKey::ExchangeTokenByTokenExchange.text(),
    "Interaction.*",
    "Interaction.ForgotPassword.*",
    AuditKey::InteractionIdentifierLockout.text(),
    "Interaction.Register.*",
    "Interaction.SignIn.*",
    "Management.*",
    "Management.Application.*",
    "Management.Config.*",
    "Management.Connector.*",
    "Management.Hook.*",
    AuditKey::ManagementImpersonationEnd.text(),
    "Management.Organization.*",
    "Management.Plugin.*",
    "Management.Resource.*",
    "Management.Role.*",
    AuditKey::ManagementSignInExperienceUpdate.text(),
    "Management.SubjectToken.*",
    "Management.User.*",
    AuditKey::ManagementUserAssignRoles.text(),
    of_management(AuditOperation::UserCreate),
    of_management(AuditOperation::UserDelete),
    of_management(AuditOperation::UserSetPassword),
    of_management(AuditOperation::UserSetSuspended),
    AuditKey::RevokeToken.text(),
    AuditKey::WebhookDisable.text(),
];

const fn of_management(operation: AuditOperation) -> &'static str {
    AuditKey::Operation(AuditInterface::Management, operation).text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suggestion_matches_a_key() {
        for suggested in SUGGESTED {
            let is_matched = match suggested.strip_suffix('*') {
                Some(beginning) => AuditKey::ALL.iter().any(|key| key.text().starts_with(beginning)),
                None => AuditKey::find(suggested).is_some(),
            };
            assert!(is_matched, "{suggested}");
        }
        assert!(SUGGESTED.is_sorted());
    }
}
