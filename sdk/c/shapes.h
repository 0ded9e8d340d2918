/* Written by sdk/schema/generate from plugin.schema.json. Not to be edited. */
#pragma once

#include "claimsmith.h"

/* Actor: Who acts (RFC 8693 section 4.1). */
static inline cs_text cs_actor_sub(cs_text actor) { return cs_member(actor, "sub"); }

/* TokenExtra: Of a token exchange. */
/* The subject token that was exchanged. */
static inline cs_text cs_token_extra_subject_token_id(cs_text token_extra) { return cs_member(token_extra, "subjectTokenId"); }
static inline cs_text cs_token_extra_act(cs_text token_extra) { return cs_member(token_extra, "act"); }

/* Token: The token as far as it is known before it is signed. */
/* The token's id. */
static inline cs_text cs_token_jti(cs_text token) { return cs_member(token, "jti"); }
/* AccessToken, ClientCredentials or IdToken. */
static inline cs_text cs_token_kind(cs_text token) { return cs_member(token, "kind"); }
/* The API that it is for. */
static inline cs_text cs_token_aud(cs_text token) { return cs_member(token, "aud"); }
/* Scopes, separated by spaces. */
static inline cs_text cs_token_scope(cs_text token) { return cs_member(token, "scope"); }
/* The application that asked. */
static inline cs_text cs_token_client_id(cs_text token) { return cs_member(token, "clientId"); }
/* The user whom it represents. */
static inline cs_text cs_token_account_id(cs_text token) { return cs_member(token, "accountId"); }
static inline cs_text cs_token_grant_id(cs_text token) { return cs_member(token, "grantId"); }
/* The grant type. */
static inline cs_text cs_token_gty(cs_text token) { return cs_member(token, "gty"); }
static inline cs_text cs_token_extra(cs_text token) { return cs_member(token, "extra"); }

/* Interaction: The sign-in or registration that led to the token; of tokens of people who signed in. */
/* SignIn or Register. */
static inline cs_text cs_interaction_interaction_event(cs_text interaction) { return cs_member(interaction, "interactionEvent"); }
/* Who signed in. */
static inline cs_text cs_interaction_user_id(cs_text interaction) { return cs_member(interaction, "userId"); }
static inline cs_text cs_interaction_verification_records(cs_text interaction) { return cs_member(interaction, "verificationRecords"); }

/* VerifiedIdentifier: What they typed. */
/* username, email or phone. */
static inline cs_text cs_verified_identifier_type(cs_text verified_identifier) { return cs_member(verified_identifier, "type"); }
static inline cs_text cs_verified_identifier_value(cs_text verified_identifier) { return cs_member(verified_identifier, "value"); }

/* VerificationRecord: How somebody proved who they are, without secrets. */
static inline cs_text cs_verification_record_id(cs_text verification_record) { return cs_member(verification_record, "id"); }
/* Password or NewPasswordIdentity; further types may be added. */
static inline cs_text cs_verification_record_type(cs_text verification_record) { return cs_member(verification_record, "type"); }
static inline cs_text cs_verification_record_identifier(cs_text verification_record) { return cs_member(verification_record, "identifier"); }
/* Absent where there was nothing to prove. */
static inline cs_text cs_verification_record_verified(cs_text verification_record) { return cs_member(verification_record, "verified"); }

/* User: The user whom the token represents. */
static inline cs_text cs_user_id(cs_text user) { return cs_member(user, "id"); }
static inline cs_text cs_user_username(cs_text user) { return cs_member(user, "username"); }
static inline cs_text cs_user_primary_email(cs_text user) { return cs_member(user, "primaryEmail"); }
static inline cs_text cs_user_primary_phone(cs_text user) { return cs_member(user, "primaryPhone"); }
static inline cs_text cs_user_name(cs_text user) { return cs_member(user, "name"); }
static inline cs_text cs_user_avatar(cs_text user) { return cs_member(user, "avatar"); }
static inline cs_text cs_user_custom_data(cs_text user) { return cs_member(user, "customData"); }
static inline cs_text cs_user_identities(cs_text user) { return cs_member(user, "identities"); }
static inline cs_text cs_user_profile(cs_text user) { return cs_member(user, "profile"); }
static inline cs_text cs_user_application_id(cs_text user) { return cs_member(user, "applicationId"); }
static inline cs_text cs_user_cimd_client_id(cs_text user) { return cs_member(user, "cimdClientId"); }
static inline cs_text cs_user_sso_identities(cs_text user) { return cs_member(user, "ssoIdentities"); }
/* Such as Totp. */
static inline cs_text cs_user_mfa_verification_factors(cs_text user) { return cs_member(user, "mfaVerificationFactors"); }
static inline cs_text cs_user_is_suspended(cs_text user) { return cs_member(user, "isSuspended"); }
static inline cs_text cs_user_has_password(cs_text user) { return cs_member(user, "hasPassword"); }
/* Unix milliseconds. */
static inline cs_text cs_user_last_sign_in_at(cs_text user) { return cs_member(user, "lastSignInAt"); }
/* Unix milliseconds. */
static inline cs_text cs_user_created_at(cs_text user) { return cs_member(user, "createdAt"); }
/* Unix milliseconds. */
static inline cs_text cs_user_updated_at(cs_text user) { return cs_member(user, "updatedAt"); }
static inline cs_text cs_user_roles(cs_text user) { return cs_member(user, "roles"); }
static inline cs_text cs_user_organizations(cs_text user) { return cs_member(user, "organizations"); }
static inline cs_text cs_user_organization_roles(cs_text user) { return cs_member(user, "organizationRoles"); }

/* SsoIdentity: Who the user is at an identity provider of an enterprise. */
static inline cs_text cs_sso_identity_issuer(cs_text sso_identity) { return cs_member(sso_identity, "issuer"); }
static inline cs_text cs_sso_identity_identity_id(cs_text sso_identity) { return cs_member(sso_identity, "identityId"); }
static inline cs_text cs_sso_identity_detail(cs_text sso_identity) { return cs_member(sso_identity, "detail"); }

/* Role */
static inline cs_text cs_role_id(cs_text role) { return cs_member(role, "id"); }
static inline cs_text cs_role_name(cs_text role) { return cs_member(role, "name"); }
static inline cs_text cs_role_description(cs_text role) { return cs_member(role, "description"); }
static inline cs_text cs_role_scopes(cs_text role) { return cs_member(role, "scopes"); }

/* Resource: The API to which a scope belongs. */
static inline cs_text cs_resource_id(cs_text resource) { return cs_member(resource, "id"); }
static inline cs_text cs_resource_tenant_id(cs_text resource) { return cs_member(resource, "tenantId"); }
static inline cs_text cs_resource_name(cs_text resource) { return cs_member(resource, "name"); }
/* What tokens for it name as their audience. */
static inline cs_text cs_resource_indicator(cs_text resource) { return cs_member(resource, "indicator"); }
static inline cs_text cs_resource_is_default(cs_text resource) { return cs_member(resource, "isDefault"); }
/* Seconds. */
static inline cs_text cs_resource_access_token_ttl(cs_text resource) { return cs_member(resource, "accessTokenTtl"); }

/* Scope */
static inline cs_text cs_scope_id(cs_text scope) { return cs_member(scope, "id"); }
static inline cs_text cs_scope_name(cs_text scope) { return cs_member(scope, "name"); }
static inline cs_text cs_scope_description(cs_text scope) { return cs_member(scope, "description"); }
static inline cs_text cs_scope_resource_id(cs_text scope) { return cs_member(scope, "resourceId"); }
static inline cs_text cs_scope_resource(cs_text scope) { return cs_member(scope, "resource"); }

/* UserOrganization: An organization of which the user is a member. */
static inline cs_text cs_user_organization_id(cs_text user_organization) { return cs_member(user_organization, "id"); }
static inline cs_text cs_user_organization_name(cs_text user_organization) { return cs_member(user_organization, "name"); }
static inline cs_text cs_user_organization_description(cs_text user_organization) { return cs_member(user_organization, "description"); }

/* OrganizationRole: A role of the user in an organization. */
static inline cs_text cs_organization_role_organization_id(cs_text organization_role) { return cs_member(organization_role, "organizationId"); }
static inline cs_text cs_organization_role_role_id(cs_text organization_role) { return cs_member(organization_role, "roleId"); }
static inline cs_text cs_organization_role_role_name(cs_text organization_role) { return cs_member(organization_role, "roleName"); }

/* OidcClientMetadata */
static inline cs_text cs_oidc_client_metadata_redirect_uris(cs_text oidc_client_metadata) { return cs_member(oidc_client_metadata, "redirectUris"); }
static inline cs_text cs_oidc_client_metadata_post_logout_redirect_uris(cs_text oidc_client_metadata) { return cs_member(oidc_client_metadata, "postLogoutRedirectUris"); }

/* Application: The application that asked, without its secrets. */
static inline cs_text cs_application_id(cs_text application) { return cs_member(application, "id"); }
static inline cs_text cs_application_name(cs_text application) { return cs_member(application, "name"); }
static inline cs_text cs_application_description(cs_text application) { return cs_member(application, "description"); }
/* SPA, Native, Traditional or MachineToMachine. */
static inline cs_text cs_application_type(cs_text application) { return cs_member(application, "type"); }
static inline cs_text cs_application_tenant_id(cs_text application) { return cs_member(application, "tenantId"); }
static inline cs_text cs_application_oidc_client_metadata(cs_text application) { return cs_member(application, "oidcClientMetadata"); }
/* Settings of its tokens. */
static inline cs_text cs_application_custom_client_metadata(cs_text application) { return cs_member(application, "customClientMetadata"); }
static inline cs_text cs_application_custom_data(cs_text application) { return cs_member(application, "customData"); }
static inline cs_text cs_application_is_third_party(cs_text application) { return cs_member(application, "isThirdParty"); }
/* Unix milliseconds. */
static inline cs_text cs_application_created_at(cs_text application) { return cs_member(application, "createdAt"); }

/* Organization: The organization that the token is for. */
static inline cs_text cs_organization_id(cs_text organization) { return cs_member(organization, "id"); }
static inline cs_text cs_organization_name(cs_text organization) { return cs_member(organization, "name"); }
static inline cs_text cs_organization_description(cs_text organization) { return cs_member(organization, "description"); }
static inline cs_text cs_organization_custom_data(cs_text organization) { return cs_member(organization, "customData"); }

/* Event: The body as it would be sent if nobody changed it. Events have more members, each of its own. */
/* Such as User.Created. */
static inline cs_text cs_event_event(cs_text event) { return cs_member(event, "event"); }
/* RFC 3339. */
static inline cs_text cs_event_created_at(cs_text event) { return cs_member(event, "createdAt"); }
static inline cs_text cs_event_hook_id(cs_text event) { return cs_member(event, "hookId"); }
/* The entity as it is after the change; null where there is none. */
static inline cs_text cs_event_data(cs_text event) { return cs_member(event, "data"); }

/* Hook: Where the delivery goes. */
static inline cs_text cs_hook_id(cs_text hook) { return cs_member(hook, "id"); }
static inline cs_text cs_hook_name(cs_text hook) { return cs_member(hook, "name"); }
static inline cs_text cs_hook_url(cs_text hook) { return cs_member(hook, "url"); }

/* MessageContent: What a message says, in the operator's words or the built-in ones. */
/* Plain text; absent where an operator's template of an e-mail is HTML. */
static inline cs_text cs_message_content_text(cs_text message_content) { return cs_member(message_content, "text"); }
/* Of an e-mail. */
static inline cs_text cs_message_content_html(cs_text message_content) { return cs_member(message_content, "html"); }
/* Of an e-mail. */
static inline cs_text cs_message_content_subject(cs_text message_content) { return cs_member(message_content, "subject"); }
/* Of an e-mail: where answers go, if the template says so. */
static inline cs_text cs_message_content_reply_to(cs_text message_content) { return cs_member(message_content, "replyTo"); }
/* Of an e-mail: the sender's name, if the template says so. */
static inline cs_text cs_message_content_send_from(cs_text message_content) { return cs_member(message_content, "sendFrom"); }

/* MessageContext: Who and what a message is about, as far as it is known. */
/* The application that somebody signs in to. */
static inline cs_text cs_message_context_application(cs_text message_context) { return cs_member(message_context, "application"); }
/* The organization that somebody is invited to. */
static inline cs_text cs_message_context_organization(cs_text message_context) { return cs_member(message_context, "organization"); }
/* Who gets the message, as webhooks show users. */
static inline cs_text cs_message_context_user(cs_text message_context) { return cs_member(message_context, "user"); }
/* Who invites. */
static inline cs_text cs_message_context_inviter(cs_text message_context) { return cs_member(message_context, "inviter"); }
/* The address that asked for it. */
static inline cs_text cs_message_context_ip(cs_text message_context) { return cs_member(message_context, "ip"); }
