//! The error codes of the HTTP APIs: each with the status that it is sent with.

use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// Defines [`ApiCode`] from `Variant = status, "family.code"` per line.
macro_rules! codes {
    ($($Variant:ident = $status:literal, $text:literal;)+) => {
        /// An error code of the HTTP APIs. A text with several statuses has one variant for each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ApiCode {
            $(#[doc = concat!($status, ": `", $text, "`.")] $Variant,)+
        }

        impl ApiCode {
            /// All codes, sorted by text and status.
            pub const ALL: &[Self] = &[$(Self::$Variant),+];

            const fn row(self) -> (u16, &'static str) {
                match self { $(Self::$Variant => ($status, $text),)+ }
            }
        }
    };
}

// Sorted by text and status. Clients depend on both.
codes! {
    AccountCenterDeletionNotEnabled = 403, "account_center.deletion_not_enabled";
    AccountCenterFieldNotEditable = 400, "account_center.field_not_editable";
    AccountCenterFieldNotEnabled = 400, "account_center.field_not_enabled";
    AccountCenterNotEnabled = 400, "account_center.not_enabled";
    ApplicationConsentManagementApiScopesNotAllowed =
        422, "application.consent_management_api_scopes_not_allowed";
    ApplicationDeviceFlowNativeOnly = 422, "application.device_flow_native_only";
    ApplicationDeviceFlowNotChangeable = 422, "application.device_flow_not_changeable";
    ApplicationInvalidRoleType = 422, "application.invalid_role_type";
    ApplicationInvalidThirdPartyApplicationType = 400, "application.invalid_third_party_application_type";
    ApplicationInvalidType = 422, "application.invalid_type";
    ApplicationLastAdministrator = 422, "application.last_administrator";
    ApplicationSecretNameExists = 422, "application.secret_name_exists";
    ApplicationThirdPartyApplicationCannotEnableTokenExchange =
        422, "application.third_party_application_cannot_enable_token_exchange";
    ApplicationThirdPartyApplicationOnly = 422, "application.third_party_application_only";
    ApplicationUserConsentScopesNotFound = 422, "application.user_consent_scopes_not_found";
    AuthAuthorizationHeaderMissing = 401, "auth.authorization_header_missing";
    AuthAuthorizationTokenTypeNotSupported = 401, "auth.authorization_token_type_not_supported";
    AuthForbidden = 403, "auth.forbidden";
    AuthThirdPartyApplicationForbidden = 403, "auth.third_party_application_forbidden";
    AuthUnauthorized = 401, "auth.unauthorized";
    ConnectorAuthorizationFailed = 401, "connector.authorization_failed";
    ConnectorCanNotModifyTarget = 400, "connector.can_not_modify_target";
    ConnectorCannotOverwriteMetadataForNonStandardConnector =
        400, "connector.cannot_overwrite_metadata_for_non_standard_connector";
    ConnectorEmailConnectorBulkDeletionNoFilter = 422, "connector.email_connector.bulk_deletion_no_filter";
    ConnectorGeneralTrial = 422, "connector.general";
    ConnectorGeneralUpstream = 502, "connector.general";
    ConnectorInvalidConfig = 400, "connector.invalid_config";
    ConnectorInvalidMetadata = 400, "connector.invalid_metadata";
    ConnectorInvalidResponse = 502, "connector.invalid_response";
    ConnectorInvalidTypeForSyncingProfile = 422, "connector.invalid_type_for_syncing_profile";
    ConnectorMultipleInstancesNotSupported = 422, "connector.multiple_instances_not_supported";
    ConnectorMultipleTargetWithSamePlatform = 422, "connector.multiple_target_with_same_platform";
    ConnectorNotFoundProvider = 422, "connector.not_found";
    ConnectorNotFoundChannel = 501, "connector.not_found";
    ConnectorNotFoundWithConnectorId = 422, "connector.not_found_with_connector_id";
    ConnectorShouldSpecifyTarget = 400, "connector.should_specify_target";
    ConnectorSocialAuthCodeInvalid = 401, "connector.social_auth_code_invalid";
    ConnectorSocialInvalidIdToken = 401, "connector.social_invalid_id_token";
    ConnectorTokenStorageNotSupported = 422, "connector.token_storage_not_supported";
    ConnectorUnexpectedType = 400, "connector.unexpected_type";
    ConsoleBuiltIn = 422, "console.built_in";
    ConsoleFreshSignInRequired = 403, "console.fresh_sign_in_required";
    ConsoleReasonRequired = 422, "console.reason_required";
    CustomProfileFieldsEntityNotExistsWithNames = 400, "custom_profile_fields.entity_not_exists_with_names";
    CustomProfileFieldsInvalidAddressParts = 400, "custom_profile_fields.invalid_address_parts";
    CustomProfileFieldsInvalidDefaultValue = 400, "custom_profile_fields.invalid_default_value";
    CustomProfileFieldsInvalidFullnameParts = 400, "custom_profile_fields.invalid_fullname_parts";
    CustomProfileFieldsInvalidMinMaxInput = 400, "custom_profile_fields.invalid_min_max_input";
    CustomProfileFieldsInvalidName = 400, "custom_profile_fields.invalid_name";
    CustomProfileFieldsInvalidOptions = 400, "custom_profile_fields.invalid_options";
    CustomProfileFieldsInvalidRegexFormat = 400, "custom_profile_fields.invalid_regex_format";
    CustomProfileFieldsInvalidSubComponentType = 400, "custom_profile_fields.invalid_sub_component_type";
    CustomProfileFieldsInvalidValue = 422, "custom_profile_fields.invalid_value";
    CustomProfileFieldsNameConflictBuiltInProp = 400, "custom_profile_fields.name_conflict_built_in_prop";
    CustomProfileFieldsNameConflictCustomData = 400, "custom_profile_fields.name_conflict_custom_data";
    CustomProfileFieldsNameConflictSignInIdentifier = 400, "custom_profile_fields.name_conflict_sign_in_identifier";
    CustomProfileFieldsNameExists = 422, "custom_profile_fields.name_exists";
    CustomProfileFieldsTooMany = 422, "custom_profile_fields.too_many";
    CustomProfileFieldsValueRequired = 422, "custom_profile_fields.value_required";
    DeviceUserCodeNotFound = 422, "device.user_code_not_found";
    EntityConflict = 409, "entity.conflict";
    EntityDbConstraintViolated = 422, "entity.db_constraint_violated";
    EntityInvalidInput = 422, "entity.invalid_input";
    EntityNotExists = 404, "entity.not_exists";
    EntityNotExistsWithId = 404, "entity.not_exists_with_id";
    EntityNotFound = 404, "entity.not_found";
    EntityRelationForeignKeyNotFound = 404, "entity.relation_foreign_key_not_found";
    EntityRelationForeignKeyNotFoundOfOrganization = 422, "entity.relation_foreign_key_not_found";
    EntityUniqueIntegrityViolation = 422, "entity.unique_integrity_violation";
    EntityUnreadable = 422, "entity.unreadable";
    GuardFileSizeExceeded = 400, "guard.file_size_exceeded";
    GuardInvalidInput = 400, "guard.invalid_input";
    GuardInvalidPagination = 400, "guard.invalid_pagination";
    GuardMimeTypeNotAllowed = 400, "guard.mime_type_not_allowed";
    HookDeliveryInProgress = 409, "hook.delivery_in_progress";
    HookEndpointRespondedWithError = 422, "hook.endpoint_responded_with_error";
    HookMissingEvents = 400, "hook.missing_events";
    HookSendTestPayloadFailed = 422, "hook.send_test_payload_failed";
    HookReceiverTooMany = 422, "hook_receiver.too_many";
    JwtCustomizerGeneralDenied = 403, "jwt_customizer.general";
    JwtCustomizerGeneralFailed = 422, "jwt_customizer.general";
    LocalizationCannotDeleteDefaultLanguage = 409, "localization.cannot_delete_default_language";
    LocalizationInvalidTranslationStructure = 422, "localization.invalid_translation_structure";
    LocalizationTooManyLanguages = 422, "localization.too_many_languages";
    LogInvalidTimeWindow = 400, "log.invalid_time_window";
    OidcInvalidGrant = 400, "oidc.invalid_grant";
    OidcKeyNotFound = 404, "oidc.key_not_found";
    OidcKeyRequired = 422, "oidc.key_required";
    OidcKeyTypeNotSupported = 422, "oidc.key_type_not_supported";
    OidcOnlyPreviousKeyCanBeDeleted = 422, "oidc.only_previous_key_can_be_deleted";
    OidcSessionNotFound = 404, "oidc.session_not_found";
    OidcTooManyKeys = 422, "oidc.too_many_keys";
    OneTimeTokenCannotReactivateToken = 400, "one_time_token.cannot_reactivate_token";
    OneTimeTokenEmailMismatch = 400, "one_time_token.email_mismatch";
    OneTimeTokenInteractionEventMismatch = 400, "one_time_token.interaction_event_mismatch";
    OneTimeTokenTokenConsumed = 400, "one_time_token.token_consumed";
    OneTimeTokenTokenExpired = 400, "one_time_token.token_expired";
    OneTimeTokenTokenNotFound = 404, "one_time_token.token_not_found";
    OneTimeTokenTokenRevoked = 400, "one_time_token.token_revoked";
    OrganizationRequireMembership = 422, "organization.require_membership";
    OrganizationRoleNamesNotFound = 422, "organization.role_names_not_found";
    PasswordExpired = 422, "password.expired";
    PasswordRejected = 422, "password.rejected";
    PluginBusy = 503, "plugin.busy";
    PluginCompilerUnavailable = 503, "plugin.compiler_unavailable";
    PluginInvalidSecretName = 422, "plugin.invalid_secret_name";
    PluginNameInUse = 409, "plugin.name_in_use";
    PluginNotRecordable = 422, "plugin.not_recordable";
    PluginPopulationRunRefused = 422, "plugin.population_run_refused";
    PluginPopulationRunRunning = 409, "plugin.population_run_running";
    PluginRefused = 422, "plugin.refused";
    PluginRolloutOver = 409, "plugin.rollout_over";
    PluginRolloutRefused = 422, "plugin.rollout_refused";
    PluginRolloutRunning = 409, "plugin.rollout_running";
    PluginSecondPersonRequired = 409, "plugin.second_person_required";
    PluginSecretNameInUse = 422, "plugin.secret_name_in_use";
    PluginSecretUnreadable = 422, "plugin.secret_unreadable";
    PluginTooManyPopulationRuns = 422, "plugin.too_many_population_runs";
    PluginTooManyRecordings = 422, "plugin.too_many_recordings";
    PluginVersionActive = 409, "plugin.version_active";
    RequestBodyIncomplete = 400, "request.body_incomplete";
    RequestBodyTimeout = 408, "request.body_timeout";
    RequestBodyTooLarge = 413, "request.body_too_large";
    RequestInvalidHost = 400, "request.invalid_host";
    RequestInvalidInput = 400, "request.invalid_input";
    RequestInvalidInputUnprocessable = 422, "request.invalid_input";
    RequestInvalidJson = 400, "request.invalid_json";
    RequestLineTooLong = 413, "request.line_too_long";
    RequestMessageRateLimited = 429, "request.message_rate_limited";
    RequestMethodNotAllowed = 405, "request.method_not_allowed";
    RequestPreconditionFailed = 412, "request.precondition_failed";
    RequestSearchTimedOut = 503, "request.search_timed_out";
    RequestTimeout = 503, "request.timeout";
    RequestTooMany = 503, "request.too_many";
    RequestTooManySearches = 503, "request.too_many_searches";
    RequestTooManyStreams = 429, "request.too_many_streams";
    RequestTooOften = 503, "request.too_often";
    RequestUnknownHost = 421, "request.unknown_host";
    RequestUnknownRoute = 404, "request.unknown_route";
    RequestUnsupportedMediaType = 415, "request.unsupported_media_type";
    ResourceCannotDeleteManagementApi = 400, "resource.cannot_delete_management_api";
    ResourceCannotModifyManagementApi = 400, "resource.cannot_modify_management_api";
    ResourceResourceIdentifierInUse = 422, "resource.resource_identifier_in_use";
    RoleApplicationExists = 422, "role.application_exists";
    RoleInternalRoleViolation = 403, "role.internal_role_violation";
    RoleManagementApiScopesNotAssignableToUserRole = 400, "role.management_api_scopes_not_assignable_to_user_role";
    RoleNameInUse = 422, "role.name_in_use";
    RoleScopeExists = 422, "role.scope_exists";
    RoleUserExists = 422, "role.user_exists";
    ScopeNameExists = 422, "scope.name_exists";
    ScopeNameWithSpace = 400, "scope.name_with_space";
    ServerNotReady = 503, "server.not_ready";
    ServerOverloaded = 503, "server.overloaded";
    ServerError = 500, "server_error";
    SessionCaptchaFailed = 422, "session.captcha_failed";
    SessionCaptchaNotFound = 404, "session.captcha_not_found";
    SessionCaptchaRequired = 422, "session.captcha_required";
    SessionConnectorSessionNotFound = 400, "session.connector_session_not_found";
    SessionConnectorValidationSessionNotFound = 400, "session.connector_validation_session_not_found";
    SessionCsrfTokenMismatch = 400, "session.csrf_token_mismatch";
    SessionEmailBlocklistEmailNotAllowed = 422, "session.email_blocklist.email_not_allowed";
    SessionEmailBlocklistEmailSubaddressingNotAllowed = 422, "session.email_blocklist.email_subaddressing_not_allowed";
    SessionIdentifierNotFoundForCode = 400, "session.identifier_not_found";
    SessionIdentifierNotFound = 404, "session.identifier_not_found";
    SessionIdentityConflict = 409, "session.identity_conflict";
    SessionInsufficientInfo = 400, "session.insufficient_info";
    SessionInteractionChanged = 409, "session.interaction_changed";
    SessionInteractionNotFound = 404, "session.interaction_not_found";
    SessionInvalidCredentials = 422, "session.invalid_credentials";
    SessionInvalidInteractionType = 400, "session.invalid_interaction_type";
    SessionMfaBackupCodeCanNotBeAlone = 422, "session.mfa.backup_code_can_not_be_alone";
    SessionMfaBackupCodeRequired = 422, "session.mfa.backup_code_required";
    SessionMfaInvalidBackupCode = 400, "session.mfa.invalid_backup_code";
    SessionMfaInvalidTotpCode = 400, "session.mfa.invalid_totp_code";
    SessionMfaMfaFactorNotEnabled = 400, "session.mfa.mfa_factor_not_enabled";
    SessionMfaMfaPolicyNotUserControlled = 422, "session.mfa.mfa_policy_not_user_controlled";
    SessionMfaPendingInfoNotFound = 400, "session.mfa.pending_info_not_found";
    SessionMfaRequireMfaVerification = 403, "session.mfa.require_mfa_verification";
    SessionMfaSuggestAdditionalMfa = 422, "session.mfa.suggest_additional_mfa";
    SessionMfaWebauthnVerificationFailed = 400, "session.mfa.webauthn_verification_failed";
    SessionMfaWebauthnVerificationNotFound = 400, "session.mfa.webauthn_verification_not_found";
    SessionNotFound = 400, "session.not_found";
    SessionNotSupportedForForgotPassword = 400, "session.not_supported_for_forgot_password";
    SessionNotSupportedForForgotPasswordDisabled = 422, "session.not_supported_for_forgot_password";
    SessionPasskeySignInPendingInfoNotFound = 400, "session.passkey_sign_in.pending_info_not_found";
    SessionPasskeySignInSsoUsersNotAllowed = 400, "session.passkey_sign_in.sso_users_not_allowed";
    SessionSsoEnabled = 422, "session.sso_enabled";
    SessionVerificationBlockedTooManyAttempts = 400, "session.verification_blocked_too_many_attempts";
    SessionVerificationFailed = 400, "session.verification_failed";
    SessionVerificationSessionNotFound = 404, "session.verification_session_not_found";
    SignInExperiencesAdaptiveMfaRequiresMfa = 422, "sign_in_experiences.adaptive_mfa_requires_mfa";
    SignInExperiencesAdaptiveMfaRequiresNonSkippablePolicy =
        422, "sign_in_experiences.adaptive_mfa_requires_non_skippable_policy";
    SignInExperiencesAtLeastOneAuthenticationFactor = 400, "sign_in_experiences.at_least_one_authentication_factor";
    SignInExperiencesBackupCodeCannotBeEnabledAlone = 400, "sign_in_experiences.backup_code_cannot_be_enabled_alone";
    SignInExperiencesCodeSignInMustBeEnabled = 400, "sign_in_experiences.code_sign_in_must_be_enabled";
    SignInExperiencesDuplicatedMfaFactors = 400, "sign_in_experiences.duplicated_mfa_factors";
    SignInExperiencesDuplicatedSignUpIdentifiers = 400, "sign_in_experiences.duplicated_sign_up_identifiers";
    SignInExperiencesEmailVerificationCodeCannotBeUsedForMfa =
        400, "sign_in_experiences.email_verification_code_cannot_be_used_for_mfa";
    SignInExperiencesEmailVerificationCodeCannotBeUsedForSignIn =
        400, "sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in";
    SignInExperiencesEnabledConnectorNotFound = 400, "sign_in_experiences.enabled_connector_not_found";
    SignInExperiencesForgotPasswordMethodRequiresConnector =
        400, "sign_in_experiences.forgot_password_method_requires_connector";
    SignInExperiencesInvalidCustomEmailBlocklistFormat =
        400, "sign_in_experiences.invalid_custom_email_blocklist_format";
    SignInExperiencesPasswordExpirationInvalidPeriodDays =
        422, "sign_in_experiences.password_expiration_invalid_period_days";
    SignInExperiencesPasswordExpirationNotEnabled = 400, "sign_in_experiences.password_expiration_not_enabled";
    SignInExperiencesPasswordExpirationRequiresForgotPassword =
        422, "sign_in_experiences.password_expiration_requires_forgot_password";
    SignInExperiencesPasswordlessRequiresVerify = 400, "sign_in_experiences.passwordless_requires_verify";
    SignInExperiencesPhoneVerificationCodeCannotBeUsedForMfa =
        400, "sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa";
    SignInExperiencesPhoneVerificationCodeCannotBeUsedForSignIn =
        400, "sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in";
    SignInExperiencesSupportEmailFormat = 400, "sign_in_experiences.support_email_format";
    SignInExperiencesUnsupportedDefaultLanguage = 400, "sign_in_experiences.unsupported_default_language";
    SignInExperiencesUnsupportedSetting = 422, "sign_in_experiences.unsupported_setting";
    SignInExperiencesUsersLockedOut = 422, "sign_in_experiences.users_locked_out";
    SingleSignOnDuplicateConnectorName = 409, "single_sign_on.duplicate_connector_name";
    SingleSignOnDuplicatedDomains = 422, "single_sign_on.duplicated_domains";
    SingleSignOnForbiddenDomains = 422, "single_sign_on.forbidden_domains";
    SingleSignOnInvalidDomainFormat = 422, "single_sign_on.invalid_domain_format";
    TokenPreviewActorNotFound = 422, "token_preview.actor_not_found";
    TokenPreviewNotRebuilt = 422, "token_preview.not_rebuilt";
    TokenPreviewRefused = 422, "token_preview.refused";
    TokenPreviewUnavailable = 503, "token_preview.unavailable";
    TokenPreviewUserNotFound = 422, "token_preview.user_not_found";
    UserBackupCodeAlreadyInUse = 422, "user.backup_code_already_in_use";
    UserCannotDeleteSelf = 400, "user.cannot_delete_self";
    UserDataTooLarge = 422, "user.data_too_large";
    UserEmailAlreadyInUse = 422, "user.email_already_in_use";
    UserEmailExistsInProfile = 422, "user.email_exists_in_profile";
    UserEnterpriseSsoIdentityNotExists = 404, "user.enterprise_sso_identity_not_exists";
    UserIdentityAlreadyInUse = 422, "user.identity_already_in_use";
    UserIdentityNotExist = 404, "user.identity_not_exist";
    UserImportColumnsInvalid = 400, "user.import_columns_invalid";
    UserInvalidEmail = 422, "user.invalid_email";
    UserInvalidPhone = 422, "user.invalid_phone";
    UserInvalidRoleType = 422, "user.invalid_role_type";
    UserLastAdministrator = 422, "user.last_administrator";
    UserLastSignInMethodRequired = 400, "user.last_sign_in_method_required";
    UserMfaFactorAlreadyInUse = 422, "user.mfa_factor_already_in_use";
    UserMissingMfa = 422, "user.missing_mfa";
    UserMissingProfile = 422, "user.missing_profile";
    UserNewPasswordRequiredInProfile = 422, "user.new_password_required_in_profile";
    UserPasskeyAlreadyInUse = 422, "user.passkey_already_in_use";
    UserPasskeyPreferred = 422, "user.passkey_preferred";
    UserPasswordAlgorithmRequired = 400, "user.password_algorithm_required";
    UserPasswordAndDigest = 400, "user.password_and_digest";
    UserPasswordBusy = 503, "user.password_busy";
    UserPasswordDigestInvalid = 422, "user.password_digest_invalid";
    UserPasswordDigestTooCostly = 422, "user.password_digest_too_costly";
    UserPasswordExistsInProfile = 422, "user.password_exists_in_profile";
    UserPersonalAccessTokenNameExists = 422, "user.personal_access_token_name_exists";
    UserPhoneAlreadyInUse = 422, "user.phone_already_in_use";
    UserPhoneExistsInProfile = 422, "user.phone_exists_in_profile";
    UserSamePassword = 422, "user.same_password";
    UserSignInMethodNotEnabled = 422, "user.sign_in_method_not_enabled";
    UserSsoIdentityNotExist = 404, "user.sso_identity_not_exist";
    UserSuggestMfa = 422, "user.suggest_mfa";
    UserSuspended = 401, "user.suspended";
    UserTooManyPasskeys = 422, "user.too_many_passkeys";
    UserTotpAlreadyInUse = 422, "user.totp_already_in_use";
    UserTotpSecretInvalidOfOwner = 400, "user.totp_secret_invalid";
    UserTotpSecretInvalid = 422, "user.totp_secret_invalid";
    UserUserNotExist = 404, "user.user_not_exist";
    UserUsernameAlreadyInUse = 422, "user.username_already_in_use";
    UserUsernameExistsInProfile = 422, "user.username_exists_in_profile";
    UserUsernameInvalidCharsetHard = 422, "user.username_invalid_charset_hard";
    UserUsernameLowercaseNotAllowed = 422, "user.username_lowercase_not_allowed";
    UserUsernameNumbersNotAllowed = 422, "user.username_numbers_not_allowed";
    UserUsernameRequired = 422, "user.username_required";
    UserUsernameStartsWithNumber = 422, "user.username_starts_with_number";
    UserUsernameTooLong = 422, "user.username_too_long";
    UserUsernameTooShort = 422, "user.username_too_short";
    UserUsernameUnderscoreNotAllowed = 422, "user.username_underscore_not_allowed";
    UserUsernameUppercaseNotAllowed = 422, "user.username_uppercase_not_allowed";
    UserWrongBackupCodeFormat = 422, "user.wrong_backup_code_format";
    VerificationCodeCodeMismatch = 400, "verification_code.code_mismatch";
    VerificationCodeEmailMismatch = 400, "verification_code.email_mismatch";
    VerificationCodeExceedMaxTry = 400, "verification_code.exceed_max_try";
    VerificationCodeExpired = 400, "verification_code.expired";
    VerificationCodeNotFound = 400, "verification_code.not_found";
    VerificationCodePhoneMismatch = 400, "verification_code.phone_mismatch";
    VerificationRecordNotFound = 400, "verification_record.not_found";
    VerificationRecordPermissionDenied = 401, "verification_record.permission_denied";
}

impl ApiCode {
    /// The HTTP status of responses with this code.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// The code on the wire.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.row().1
    }
}

impl Display for ApiCode {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.pad(self.text())
    }
}

impl Serialize for ApiCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_unique_and_sorted() {
        assert!(ApiCode::ALL.is_sorted_by_key(|code| (code.text(), code.status())));
        for pair in ApiCode::ALL.windows(2) {
            assert_ne!(pair[0].row(), pair[1].row());
        }
    }

    #[test]
    fn texts_are_words_in_lower_case_and_statuses_are_errors() {
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        for code in ApiCode::ALL {
            let text = code.text();
            assert!(text.split('.').all(is_word), "{text}");
            // The only code without a family.
            assert!(text.contains('.') || *code == ApiCode::ServerError, "{text}");
            assert!((400..600).contains(&code.status()), "{text}");
        }
    }

    #[test]
    fn a_code_is_written_as_its_text() -> Result<(), serde_json::Error> {
        assert_eq!(serde_json::to_value(ApiCode::ServerError)?, ApiCode::ServerError.to_string());
        Ok(())
    }
}
