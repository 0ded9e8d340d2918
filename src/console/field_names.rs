//! The names of form fields for members of the API: which field of a form a problem belongs to, by the key path of the
//! member or by the code of the error.

/// Fields whose names differ from the members that they are sent as.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("name", &["scope", "newName", "role", "permission"]),
    ("scope", &["scopes"]),
    ("scopeIds", &["scope"]),
    ("description", &["roleDescription", "permissionDescription"]),
    ("expiresAt", &["expires", "until", "lastDay"]),
    ("email", &["to", "primaryEmail", "email"]),
    ("phone", &["to", "primaryPhone"]),
    ("invitee", &["email", "emails", "invitees"]),
    ("indicator", &["resource"]),
    ("emailDomain", &["domain"]),
    ("emailDomains", &["domain"]),
    ("userId", &["user", "person"]),
    ("actorId", &["actor"]),
    ("subjectTokenContext", &["context"]),
    ("tokenKind", &["kind"]),
    ("grantType", &["grant"]),
    ("applicationId", &["application"]),
    ("resourceId", &["resource"]),
    ("organizationId", &["organization"]),
    ("context", &["context", "said"]),
    ("rotationGracePeriod", &["grace"]),
    ("ticketId", &["ticket"]),
    ("tag", &["language"]),
    ("languageTag", &["language"]),
    ("verificationCode", &["code"]),
];

/// Fields that errors without a key path concern, by the beginning of their code.
const FIELDS_OF_CODES: &[(&str, &[&str])] = &[
    ("user.username_", &["username", "identifier"]),
    ("user.email_", &["primaryEmail", "email"]),
    ("user.invalid_email", &["primaryEmail", "email", "to"]),
    ("user.phone_", &["primaryPhone", "phone"]),
    ("user.invalid_phone", &["primaryPhone", "phone", "to"]),
    ("user.personal_access_token_name_exists", &["name"]),
    ("user.password_", &["password"]),
    ("user.same_password", &["password"]),
    ("user.data_too_large", &["customData"]),
    ("password.", &["password"]),
    ("session.email_blocklist.", &["primaryEmail", "email"]),
    ("role.name_in_use", &["name"]),
    ("role.management_api_scopes_not_assignable_to_user_role", &["scope"]),
    ("scope.name_", &["scope", "name"]),
    ("resource.resource_identifier_in_use", &["indicator", "resource"]),
    ("application.secret_name_exists", &["name", "newName"]),
    ("hook.missing_events", &["events"]),
    ("connector.invalid_metadata", &["config.issuer", "config.tenantId", "issuer", "tenantId"]),
    ("connector.multiple_target_with_same_platform", &["target"]),
    ("connector.should_specify_target", &["target"]),
    ("custom_profile_fields.name_", &["name"]),
    ("custom_profile_fields.invalid_name", &["name"]),
    ("custom_profile_fields.invalid_options", &["config.options", "choices"]),
    ("custom_profile_fields.invalid_regex_format", &["config.format"]),
    ("custom_profile_fields.invalid_min_max_input", &["config.minLength", "config.minValue"]),
    ("custom_profile_fields.invalid_default_value", &["config.defaultValue"]),
    ("localization.invalid_translation_structure", &["translation"]),
    ("one_time_token.", &["code"]),
    ("organization.role_names_not_found", &["role", "roles"]),
    ("plugin.name_in_use", &["name"]),
    ("plugin.invalid_secret_name", &["secret", "name"]),
    ("plugin.secret_name_in_use", &["secret", "name"]),
    ("sign_in_experiences.support_email_format", &["supportEmail"]),
    ("sign_in_experiences.invalid_custom_email_blocklist_format", &["emailBlocklistPolicy.customBlocklist"]),
    ("sign_in_experiences.password_expiration_invalid_period_days", &["passwordExpiration.validPeriodDays"]),
    ("single_sign_on.duplicate_connector_name", &["connectorName"]),
    ("single_sign_on.duplicated_domains", &["domains"]),
    ("single_sign_on.forbidden_domains", &["domains"]),
    ("single_sign_on.invalid_domain_format", &["domains"]),
    ("token_preview.user_not_found", &["user"]),
    ("token_preview.actor_not_found", &["actor"]),
    ("verification_code.", &["code"]),
    ("entity.unique_integrity_violation", &["name", "role", "permission"]),
    ("entity.conflict", &["name"]),
];

/// The field of a key path, such as `redirectUris` for `oidcClientMetadata.redirectUris[0]`: the longest part of the path
/// that is the name of a field, the last members first.
pub(crate) fn field_of_path(path: &str, has: impl Fn(&str) -> bool) -> Option<String> {
    let members: Vec<&str> = path.split('.').map(|member| member.split('[').next().unwrap_or_default()).collect();
    for end in (1..=members.len()).rev() {
        for start in 0..end {
            let name = members[start..end].join(".");
            if has(&name) {
                return Some(name);
            }
        }
        let others = OTHER_NAMES.iter().find(|(member, _)| *member == members[end - 1]);
        let others = others.map_or(&[][..], |(_, others)| *others);
        if let Some(name) = others.iter().find(|name| has(name)) {
            return Some((*name).to_owned());
        }
    }
    None
}

/// The field that an error without a key path concerns.
pub(crate) fn field_of_code(code: &str, has: impl Fn(&str) -> bool) -> Option<String> {
    let mut known = FIELDS_OF_CODES.iter().filter(|(beginning, _)| code.starts_with(beginning));
    known.find_map(|(_, fields)| fields.iter().find(|name| has(name))).map(|name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_of_a_path_names_the_field() {
        for (path, fields, field) in [
            ("oidcClientMetadata.redirectUris[0]", vec!["name", "redirectUris"], Some("redirectUris")),
            ("profile.address.locality", vec!["address.locality", "locality"], Some("address.locality")),
            ("config.headers.x-key", vec!["headers", "url"], Some("headers")),
            ("color.primaryColor", vec!["color.primaryColor"], Some("color.primaryColor")),
            ("name", vec!["scope", "description"], Some("scope")),
            ("expiresAt", vec!["until"], Some("until")),
            ("nothing.of[3].it", vec!["name"], None),
            ("", vec!["name"], None),
        ] {
            assert_eq!(field_of_path(path, |name| fields.contains(&name)).as_deref(), field, "{path}");
        }
    }
}
