//! The allow-list: which texts of an input a recording keeps as they are, and which names of members. Everything that is
//! not here becomes a pseudonym.

/// Where texts are kept: ids of roles and scopes, names of scopes and grant types, which operators configure. Lists count
/// as their elements.
const KEPT: [&[&str]; 10] = [
    &["token", "scope"],
    &["token", "gty"],
    &["context", "grant", "type"],
    &["context", "user", "roles", "id"],
    &["context", "user", "roles", "scopes", "id"],
    &["context", "user", "organizationRoles", "roleId"],
    &["event", "data", "roles", "id"],
    &["event", "data", "scopes", "id"],
    &["event", "roleIds"],
    &["event", "event"],
];

/// Where texts are kept that are one of [`WORDS`].
const CHOSEN: [&[&str]; 8] = [
    &["token", "kind"],
    &["context", "application", "type"],
    &["context", "interaction", "interactionEvent"],
    &["context", "interaction", "verificationRecords", "type"],
    &["context", "interaction", "verificationRecords", "identifier", "type"],
    &["context", "user", "mfaVerificationFactors"],
    &["event", "interactionEvent"],
    &["event", "data", "type"],
];

/// The words of the contract.
const WORDS: [&str; 20] = [
    "AccessToken",
    "BackupCode",
    "ClientCredentials",
    "ForgotPassword",
    "IdToken",
    "MachineToMachine",
    "Native",
    "NewPasswordIdentity",
    "Password",
    "Protected",
    "Register",
    "SAML",
    "SPA",
    "SignIn",
    "Totp",
    "Traditional",
    "WebAuthn",
    "email",
    "phone",
    "username",
];

/// Members whose texts are moments.
const MOMENTS: [&str; 5] = ["createdAt", "expiresAt", "issuedAt", "lastSignInAt", "updatedAt"];

/// Names of members of the contract (`sdk/schema/plugin.schema.json`) and of events.
const NAMES: [&str; 108] = [
    "accessTokenTtl",
    "accountId",
    "act",
    "address",
    "application",
    "applicationId",
    "aud",
    "avatar",
    "birthdate",
    "body",
    "cimdClientId",
    "clientId",
    "context",
    "country",
    "createdAt",
    "customClientMetadata",
    "customData",
    "data",
    "dataOmitted",
    "deliveryId",
    "description",
    "detail",
    "details",
    "drop",
    "email",
    "event",
    "expiresAt",
    "extra",
    "familyName",
    "formatted",
    "gender",
    "givenName",
    "grant",
    "grantId",
    "gty",
    "hasPassword",
    "headers",
    "hook",
    "hookId",
    "id",
    "identifier",
    "identities",
    "identityId",
    "indicator",
    "interaction",
    "interactionEvent",
    "ip",
    "isDefault",
    "isSuspended",
    "isThirdParty",
    "issuedAt",
    "issuer",
    "jti",
    "kind",
    "lastSignInAt",
    "locale",
    "locality",
    "matchedRoute",
    "method",
    "mfaVerificationFactors",
    "middleName",
    "name",
    "nickname",
    "oidcClientMetadata",
    "organization",
    "organizationId",
    "organizationRoles",
    "organizations",
    "params",
    "path",
    "phone",
    "postLogoutRedirectUris",
    "postalCode",
    "preferredUsername",
    "primaryEmail",
    "primaryPhone",
    "profile",
    "redirectUris",
    "region",
    "resource",
    "resourceId",
    "roleId",
    "roleIds",
    "roleName",
    "roles",
    "scope",
    "scopes",
    "sessionId",
    "ssoConnectorId",
    "ssoIdentities",
    "status",
    "streetAddress",
    "sub",
    "subjectTokenContext",
    "subjectTokenId",
    "tenantId",
    "token",
    "type",
    "updatedAt",
    "url",
    "user",
    "userAgent",
    "userId",
    "userIp",
    "username",
    "value",
    "verificationRecords",
    "verified",
];

/// Whether the text at this path is kept.
pub(super) fn keeps(path: &[&str], text: &str) -> bool {
    KEPT.contains(&path)
        || (CHOSEN.contains(&path) && WORDS.contains(&text))
        || (path.last().is_some_and(|name| MOMENTS.contains(name)) && is_moment(text))
}

/// Whether a member of this name shows nothing by it.
pub(super) fn keeps_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether a name of a claim may be shown where differences are counted: it looks like one that a programmer chose, and
/// not like an address, a number or an id of which a plugin made a name.
pub(crate) fn tells_nobody(name: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_-.:/#$".contains(c);
    name.chars().all(is_of_name) && !name.split(|c: char| !c.is_ascii_alphanumeric()).any(is_number_or_id)
}

/// A word of many digits, or of digits among letters.
fn is_number_or_id(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let turns = word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    digits >= 5 || turns >= 4
}

/// A moment of RFC 3339.
fn is_moment(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// Names of members anywhere in the schema, but for messages, which are not recorded.
    fn names(schema: &Value, found: &mut BTreeSet<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            found.extend(properties.keys().cloned());
            properties.values().for_each(|schema| names(schema, found));
        }
    }

    #[test]
    fn every_name_of_the_contract_is_known() {
        let schema = include_str!("../../../../../sdk/schema/plugin.schema.json");
        let schema: Value = claimsmith_json::read(schema, claimsmith_json::STORED).unwrap_or_default();
        let parts = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
        assert!(parts.len() > 10, "the schema was not found");
        let mut found = BTreeSet::new();
        for (_, part) in parts.iter().filter(|(name, _)| !name.contains("Message")) {
            names(part, &mut found);
        }
        found.remove("environmentVariables");
        let unknown: Vec<_> = found.iter().filter(|name| !keeps_name(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(!keeps_name("plan") && !keeps_name("ada@example.com"));
    }

    #[test]
    fn names_that_are_made_of_data_are_told_from_those_of_a_programmer() {
        for name in ["plan", "https://example.com/claims/plan_v2", "oauth2v1", "entitlements2026", "_x-y", ""] {
            assert!(tells_nobody(name), "{name}");
        }
        for name in [
            "ada@example.com",
            "+4917012345",
            "4917012345",
            "Ada Lovelace",
            "q3v8k1znw2pd",
            "user:q3v8k1znw2pd7f0ymx4ab",
        ] {
            assert!(!tells_nobody(name), "{name}");
        }
    }

    #[test]
    fn names_are_there_once() {
        let once: BTreeSet<_> = NAMES.iter().collect();
        assert_eq!(once.len(), NAMES.len());
    }

    #[test]
    fn texts_are_kept_where_the_operator_wrote_them() {
        for (path, text, kept) in [
            ("token.scope", "orders:read", true),
            ("token.kind", "AccessToken", true),
            ("token.kind", "Ada", false),
            ("context.grant.type", "urn:ietf:params:oauth:grant-type:token-exchange", true),
            ("context.user.roles.id", "r1", true),
            ("context.user.roles.name", "customer", false),
            ("context.user.id", "u1", false),
            ("context.user.name", "Ada", false),
            ("context.user.customData.scope", "Ada", false),
            ("event.event", "User.Created", true),
            ("event.createdAt", "2026-01-02T03:04:05Z", true),
            ("event.createdAt", "yesterday", false),
            ("context.user.profile.birthdate", "1990-01-02", false),
        ] {
            let names: Vec<&str> = path.split('.').collect();
            assert_eq!(keeps(&names, text), kept, "{path} {text}");
        }
    }
}
