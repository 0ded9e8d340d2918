//! The fields that can be set, each with the test that shows its effect.

/// What becomes of a field.
pub(super) enum Effect {
    /// This test shows it: its file and its name.
    Test(&'static str, &'static str),
    /// It is refused ([`claimsmith::domain::unsupported_settings::UNSUPPORTED`]).
    Refused,
}

use Effect::{Refused, Test};

/// What they are about, their names with dots, and their effect.
pub(super) const FIELDS: &[(&str, &str, Effect)] = &[
    (
        "account center",
        "customCss",
        Test("tests/pages/account/leaving.rs", "the_account_is_deleted_where_the_settings_allow_it"),
    ),
    (
        "account center",
        "deleteAccountUrl",
        Test("tests/pages/account/leaving.rs", "the_account_is_deleted_where_the_settings_allow_it"),
    ),
    (
        "account center",
        "deletionEnabled",
        Test("tests/management/my_account/leaving.rs", "people_delete_their_account_where_they_may"),
    ),
    ("account center", "enabled", Test("tests/management/my_account/access.rs", "the_api_is_off_until_it_is_enabled")),
    ("account center", "fields", Test("tests/management/my_account/data.rs", "fields_that_people_do_not_change_stay")),
    (
        "account center",
        "pageEnabled",
        Test("tests/pages/account/signing_in.rs", "the_page_is_there_where_the_settings_have_it"),
    ),
    (
        "account center",
        "profileFields.name",
        Test("tests/pages/account/fields.rs", "fields_are_changed_where_the_settings_let_people"),
    ),
    (
        "account center",
        "webauthnRelatedOrigins",
        Test("tests/management/account_center.rs", "settings_are_shown_and_changed"),
    ),
    (
        "application",
        "customClientMetadata.allowTokenExchange",
        Test("tests/management/applications.rs", "an_application_exchanges_tokens_while_it_may"),
    ),
    (
        "application",
        "customClientMetadata.alwaysIssueRefreshToken",
        Test("src/domain/grant/refresh_token.rs", "a_first_token_is_for_offline_access_or_for_who_always_gets_one"),
    ),
    (
        "application",
        "customClientMetadata.corsAllowedOrigins",
        Test("tests/oidc/userinfo.rs", "browsers_of_registered_origins_may_ask"),
    ),
    (
        "application",
        "customClientMetadata.idTokenSignedResponseAlg",
        Test("tests/oidc/sign_in/id_tokens.rs", "an_application_chooses_the_algorithm"),
    ),
    (
        "application",
        "customClientMetadata.idTokenTtl",
        Test("tests/oidc/sign_in/id_tokens.rs", "an_application_chooses_the_algorithm"),
    ),
    (
        "application",
        "customClientMetadata.impersonationUri",
        Test("tests/console/impersonation.rs", "the_browser_posts_the_token_and_no_url_has_it"),
    ),
    (
        "application",
        "customClientMetadata.isDeviceFlow",
        Test("tests/oidc/device/story.rs", "a_device_is_let_in_by_somebody_who_signs_in"),
    ),
    (
        "application",
        "customClientMetadata.maxAllowedGrants",
        Test("tests/oidc/sign_in/administration.rs", "the_oldest_grant_ends_where_an_application_allows_so_many"),
    ),
    (
        "application",
        "customClientMetadata.refreshTokenTtlInDays",
        Test("src/domain/grant/refresh_token.rs", "the_application_says_how_long_one_lives"),
    ),
    (
        "application",
        "customClientMetadata.rotateRefreshToken",
        Test("tests/oidc/sign_in/refresh_tokens.rs", "a_confidential_client_may_keep_its_token"),
    ),
    (
        "application",
        "customClientMetadata.trustedActorClientIds",
        Test("tests/oidc/actor.rs", "a_token_of_another_application_is_accepted_by_those_who_trust_it"),
    ),
    (
        "application",
        "customData",
        Test("tests/management/applications.rs", "an_application_is_created_read_listed_changed_and_deleted"),
    ),
    (
        "application",
        "description",
        Test("tests/management/applications.rs", "an_application_is_created_read_listed_changed_and_deleted"),
    ),
    (
        "application",
        "isAdmin",
        Test("tests/management/applications.rs", "an_application_becomes_an_administrators_and_is_one_no_more"),
    ),
    ("application", "isThirdParty", Test("tests/management/applications.rs", "a_third_party_gets_less")),
    (
        "application",
        "name",
        Test("tests/management/applications.rs", "an_application_is_created_read_listed_changed_and_deleted"),
    ),
    (
        "application",
        "oidcClientMetadata.backchannelLogoutSessionRequired",
        Test("tests/oidc/conformance/backchannel_logout.rs", "oidcc_backchannel_rp_initiated_logout"),
    ),
    (
        "application",
        "oidcClientMetadata.backchannelLogoutUri",
        Test("tests/oidc/conformance/backchannel_logout.rs", "oidcc_backchannel_rp_initiated_logout"),
    ),
    (
        "application",
        "oidcClientMetadata.jwks.keys",
        Test(
            "tests/oidc/private_key_jwt/endpoints.rs",
            "every_endpoint_takes_the_issuer_or_the_token_endpoint_as_the_audience",
        ),
    ),
    (
        "application",
        "oidcClientMetadata.jwksUri",
        Test("tests/oidc/private_key_jwt/remote.rs", "keys_are_fetched_once_and_again_for_an_unknown_name"),
    ),
    (
        "application",
        "oidcClientMetadata.logoUri",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    (
        "application",
        "oidcClientMetadata.postLogoutRedirectUris",
        Test("tests/oidc/sign_in/logout.rs", "a_bad_hint_or_address_leads_nowhere"),
    ),
    (
        "application",
        "oidcClientMetadata.redirectUris",
        Test("tests/oidc/conformance/redirects.rs", "a_redirect_uri_is_matched_fully"),
    ),
    (
        "application",
        "oidcClientMetadata.tokenEndpointAuthMethod",
        Test("tests/oidc/private_key_jwt/methods.rs", "there_is_no_way_back_to_a_weaker_method"),
    ),
    (
        "application",
        "type",
        Test("tests/management/applications.rs", "an_application_is_created_read_listed_changed_and_deleted"),
    ),
    ("captcha", "config.difficulty", Test("tests/pages/captcha.rs", "a_form_with_a_puzzle_is_sent_with_its_answer")),
    ("captcha", "config.domain", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("captcha", "config.mode", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("captcha", "config.projectId", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("captcha", "config.secretKey", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("captcha", "config.siteKey", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("captcha", "config.type", Test("src/captcha/provider_client.rs", "recaptcha_is_asked_and_its_score_counts")),
    ("hook", "config.headers", Test("tests/webhooks/hook_delivery.rs", "events_are_delivered_and_signed")),
    ("hook", "config.retries", Test("tests/webhooks/limits.rs", "a_delivery_is_retried_as_often_as_its_hook_says")),
    ("hook", "config.url", Test("tests/webhooks/hook_delivery.rs", "events_are_delivered_and_signed")),
    ("hook", "enabled", Test("tests/management/hooks.rs", "a_hook_is_created_read_changed_and_deleted")),
    ("hook", "event", Test("tests/management/hooks.rs", "a_hook_is_created_read_changed_and_deleted")),
    ("hook", "events", Test("tests/webhooks/hook_delivery.rs", "events_are_delivered_and_signed")),
    ("hook", "maxConcurrency", Test("tests/webhooks/limits.rs", "no_more_deliveries_are_under_way_than_a_hook_allows")),
    ("hook", "name", Test("tests/management/hooks.rs", "a_hook_is_created_read_changed_and_deleted")),
    ("hook", "ordered", Test("tests/webhooks/limits.rs", "an_ordered_hook_hears_of_one_thing_after_the_other")),
    ("hook", "paused", Test("tests/webhooks/limits.rs", "a_paused_hook_gets_its_deliveries_when_it_is_resumed")),
    ("hook", "rateLimit", Test("tests/webhooks/limits.rs", "a_hook_gets_deliveries_within_its_rate_limit")),
    ("id token", "enabledExtendedClaims", Test("tests/management/configs.rs", "the_claims_of_id_tokens_are_kept")),
    (
        "look of an application",
        "branding.darkFavicon",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    (
        "look of an application",
        "branding.darkLogoUrl",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "look of an application",
        "branding.favicon",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "look of an application",
        "branding.logoUrl",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "look of an application",
        "color.darkPrimaryColor",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "look of an application",
        "color.isDarkModeEnabled",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "look of an application",
        "color.primaryColor",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "look of an application",
        "customCss",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    (
        "look of an application",
        "displayName",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    (
        "look of an application",
        "privacyPolicyUrl",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    (
        "look of an application",
        "termsOfUseUrl",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    (
        "organization",
        "branding.darkFavicon",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    (
        "organization",
        "branding.darkLogoUrl",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "organization",
        "branding.favicon",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "organization",
        "branding.logoUrl",
        Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings"),
    ),
    (
        "organization",
        "color.darkPrimaryColor",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "organization",
        "color.isDarkModeEnabled",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "organization",
        "color.primaryColor",
        Test("tests/pages/assets.rs", "the_pages_of_a_sign_in_for_an_organization_look_like_it"),
    ),
    (
        "organization",
        "customCss",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    ("organization", "customData", Test("tests/oidc/organization_tokens.rs", "plugins_see_the_organization")),
    ("organization", "description", Test("tests/oidc/organization_tokens.rs", "plugins_see_the_organization")),
    (
        "organization",
        "isMfaRequired",
        Test(
            "tests/oidc/default_resource.rs",
            "an_organization_that_requires_a_second_factor_gives_no_token_without_one",
        ),
    ),
    ("organization", "name", Test("tests/oidc/organization_tokens.rs", "plugins_see_the_organization")),
    (
        "resource",
        "accessTokenTtl",
        Test("tests/oidc/client_credentials.rs", "a_token_lives_as_long_as_its_resource_says"),
    ),
    ("resource", "indicator", Test("tests/management/resources.rs", "a_resource_is_created_read_listed_and_deleted")),
    (
        "resource",
        "isDefault",
        Test("tests/oidc/default_resource.rs", "a_machine_that_names_nothing_gets_a_token_for_the_default_resource"),
    ),
    ("resource", "name", Test("tests/management/resources.rs", "a_resource_is_created_read_listed_and_deleted")),
    ("sign-in", "adaptiveMfa.enabled", Refused),
    ("sign-in", "agreeToTermsPolicy", Test("tests/pages/elsewhere.rs", "whoever_has_to_agree_agrees_before")),
    (
        "sign-in",
        "branding.darkFavicon",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    ("sign-in", "branding.darkLogoUrl", Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings")),
    ("sign-in", "branding.favicon", Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings")),
    ("sign-in", "branding.logoUrl", Test("tests/pages/headers.rs", "pictures_come_from_the_hosts_of_the_settings")),
    (
        "sign-in",
        "captchaPolicy.enabled",
        Test("tests/experience/captcha.rs", "without_a_policy_or_a_provider_nobody_is_asked"),
    ),
    ("sign-in", "color.darkPrimaryColor", Test("tests/pages/assets.rs", "colours_follow_the_settings")),
    ("sign-in", "color.isDarkModeEnabled", Test("tests/pages/assets.rs", "colours_follow_the_settings")),
    ("sign-in", "color.primaryColor", Test("tests/pages/assets.rs", "colours_follow_the_settings")),
    (
        "sign-in",
        "customCss",
        Test("tests/management/well_known.rs", "an_organizations_look_stands_over_an_applications"),
    ),
    (
        "sign-in",
        "emailBlocklistPolicy.blockDisposableAddresses",
        Test("tests/experience/disposable_domains.rs", "nobody_registers_with_a_throw_away_address"),
    ),
    (
        "sign-in",
        "emailBlocklistPolicy.blockSubaddressing",
        Test("tests/experience/codes.rs", "only_codes_that_are_of_use_are_sent"),
    ),
    (
        "sign-in",
        "emailBlocklistPolicy.customAllowlist",
        Test("tests/experience/disposable_domains.rs", "nobody_registers_with_an_address_that_the_lists_refuse"),
    ),
    (
        "sign-in",
        "emailBlocklistPolicy.customBlocklist",
        Test("tests/experience/disposable_domains.rs", "nobody_registers_with_an_address_that_the_lists_refuse"),
    ),
    (
        "sign-in",
        "forgotPasswordMethods",
        Test("tests/pages/forgotten_password.rs", "where_there_is_no_way_back_there_is_no_link"),
    ),
    ("sign-in", "languageInfo.autoDetect", Test("tests/management/well_known.rs", "the_language_is_the_readers")),
    ("sign-in", "languageInfo.fallbackLanguage", Test("tests/management/well_known.rs", "the_language_is_the_readers")),
    (
        "sign-in",
        "mfa.factors",
        Test("tests/experience/factors/set_up.rs", "who_lacks_a_factor_sets_it_up_and_proves_it_from_then_on"),
    ),
    (
        "sign-in",
        "mfa.organizationRequiredMfaPolicy",
        Test("tests/experience/factors/policy.rs", "an_organization_asks_its_members"),
    ),
    (
        "sign-in",
        "mfa.policy",
        Test("tests/experience/factors/set_up.rs", "who_lacks_a_factor_sets_it_up_and_proves_it_from_then_on"),
    ),
    (
        "sign-in",
        "passkeySignIn.allowAutofill",
        Test("tests/pages/settings.rs", "a_passkey_is_offered_where_the_settings_say"),
    ),
    (
        "sign-in",
        "passkeySignIn.enabled",
        Test("tests/experience/passkeys/sign_in.rs", "the_settings_and_the_user_say_whether_it_counts"),
    ),
    (
        "sign-in",
        "passkeySignIn.showPasskeyButton",
        Test("tests/pages/settings.rs", "a_passkey_is_offered_where_the_settings_say"),
    ),
    ("sign-in", "passwordExpiration.enabled", Refused),
    ("sign-in", "passwordExpiration.enabledAt", Refused),
    ("sign-in", "passwordExpiration.validPeriodDays", Refused),
    (
        "sign-in",
        "passwordPolicy.characterTypes.min",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.length.max",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.length.min",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.rejects.pwned",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.rejects.repetitionAndSequence",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.rejects.userInfo",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    (
        "sign-in",
        "passwordPolicy.rejects.words",
        Test("src/domain/password_policy/check.rs", "a_policy_asks_for_more_or_less"),
    ),
    ("sign-in", "privacyPolicyUrl", Test("src/http/pages/frame.rs", "the_terms_are_named_as_there_are_any")),
    (
        "sign-in",
        "sentinelPolicy.lockoutDuration",
        Test("tests/experience/lockout.rs", "a_lock_out_that_follows_another_lasts_twice_as_long"),
    ),
    (
        "sign-in",
        "sentinelPolicy.maxAttempts",
        Test("tests/experience/lockout.rs", "a_lock_out_that_follows_another_lasts_twice_as_long"),
    ),
    (
        "sign-in",
        "signIn.methods.identifier",
        Test("tests/experience/sign_in.rs", "what_changed_meanwhile_counts_at_the_end"),
    ),
    (
        "sign-in",
        "signIn.methods.isPasswordPrimary",
        Test("tests/pages/codes.rs", "a_page_of_codes_alone_asks_for_no_password"),
    ),
    (
        "sign-in",
        "signIn.methods.password",
        Test("tests/experience/sign_in.rs", "what_changed_meanwhile_counts_at_the_end"),
    ),
    (
        "sign-in",
        "signIn.methods.verificationCode",
        Test("tests/experience/sign_in.rs", "what_changed_meanwhile_counts_at_the_end"),
    ),
    ("sign-in", "signInMode", Test("tests/experience/modes.rs", "where_nobody_registers_nobody_does")),
    ("sign-in", "signUp.identifiers", Test("tests/pages/codes.rs", "a_person_registers_with_an_address")),
    ("sign-in", "signUp.password", Test("tests/pages/codes.rs", "a_person_registers_with_an_address")),
    (
        "sign-in",
        "signUp.secondaryIdentifiers.identifier",
        Test("tests/experience/linking.rs", "a_number_is_added_beside_an_address"),
    ),
    (
        "sign-in",
        "signUp.secondaryIdentifiers.verify",
        Test("tests/experience/linking.rs", "a_number_is_added_beside_an_address"),
    ),
    ("sign-in", "signUp.verify", Test("tests/pages/codes.rs", "a_person_registers_with_an_address")),
    (
        "sign-in",
        "signUpProfileFields.name",
        Test("tests/experience/extra_profile.rs", "what_is_not_required_is_asked_for_once"),
    ),
    (
        "sign-in",
        "singleSignOnEnabled",
        Test("tests/experience/elsewhere/enterprise.rs", "nobody_comes_by_a_company_once_enterprise_sign_in_is_off"),
    ),
    ("sign-in", "socialSignIn.automaticAccountLinking", Refused),
    (
        "sign-in",
        "socialSignIn.skipRequiredIdentifiers",
        Test("tests/experience/elsewhere/social.rs", "what_everybody_must_have_is_asked_for"),
    ),
    (
        "sign-in",
        "socialSignInConnectorTargets",
        Test("tests/pages/elsewhere.rs", "a_person_registers_and_signs_in_elsewhere"),
    ),
    (
        "sign-in",
        "supportEmail",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    (
        "sign-in",
        "supportWebsiteUrl",
        Test("tests/pages/settings.rs", "pages_say_where_there_is_help_and_whose_application_it_is"),
    ),
    ("sign-in", "termsOfUseUrl", Test("src/http/pages/frame.rs", "the_terms_are_named_as_there_are_any")),
    (
        "sign-in",
        "trustedDevice.durationDays",
        Test("tests/experience/factors/trusted_devices.rs", "only_who_proved_a_factor_trusts_a_device"),
    ),
    (
        "sign-in",
        "trustedDevice.enabled",
        Test("tests/experience/factors/trusted_devices.rs", "only_who_proved_a_factor_trusts_a_device"),
    ),
    (
        "sign-in",
        "unknownSessionRedirectUrl",
        Test("tests/pages/sign_in.rs", "who_comes_without_a_sign_in_goes_where_the_settings_say"),
    ),
    (
        "sign-in",
        "usernamePolicy.allowedChars.lowercase",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    (
        "sign-in",
        "usernamePolicy.allowedChars.numbers",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    (
        "sign-in",
        "usernamePolicy.allowedChars.underscore",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    (
        "sign-in",
        "usernamePolicy.allowedChars.uppercase",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    ("sign-in", "usernamePolicy.caseSensitive", Refused),
    (
        "sign-in",
        "usernamePolicy.maxLength",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    (
        "sign-in",
        "usernamePolicy.minLength",
        Test("src/domain/sign_in_experience/username_check.rs", "a_name_is_refused_for_the_first_reason"),
    ),
    (
        "sign-in",
        "verificationCodePolicy.expirationDuration",
        Test("tests/experience/codes.rs", "a_code_lives_as_long_as_the_settings_say"),
    ),
    (
        "sign-in",
        "verificationCodePolicy.maxRetryAttempts",
        Test("tests/experience/codes.rs", "a_code_lives_as_long_as_the_settings_say"),
    ),
];
