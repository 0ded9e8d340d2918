// Written by sdk/schema/generate from plugin.schema.json. Not to be edited.
#pragma once

#include <utility>
#include <vector>

#include "claimsmith.hpp"

namespace claimsmith {

// Who acts (RFC 8693 section 4.1).
struct Actor : Json {
  std::optional<Json> sub() const { return member("sub"); }
};

// Of a token exchange.
struct TokenExtra : Json {
  // The subject token that was exchanged.
  std::optional<Json> subject_token_id() const { return member("subjectTokenId"); }
  std::optional<Actor> act() const { return as<Actor>("act"); }
};

// The token as far as it is known before it is signed.
struct Token : Json {
  // The token's id.
  std::optional<Json> jti() const { return member("jti"); }
  // AccessToken, ClientCredentials or IdToken.
  std::optional<Json> kind() const { return member("kind"); }
  // The API that it is for.
  std::optional<Json> aud() const { return member("aud"); }
  // Scopes, separated by spaces.
  std::optional<Json> scope() const { return member("scope"); }
  // The application that asked.
  std::optional<Json> client_id() const { return member("clientId"); }
  // The user whom it represents.
  std::optional<Json> account_id() const { return member("accountId"); }
  std::optional<Json> grant_id() const { return member("grantId"); }
  // The grant type.
  std::optional<Json> gty() const { return member("gty"); }
  std::optional<TokenExtra> extra() const { return as<TokenExtra>("extra"); }
};

// The sign-in or registration that led to the token; of tokens of people who signed in.
struct Interaction : Json {
  // SignIn or Register.
  std::optional<Json> interaction_event() const { return member("interactionEvent"); }
  // Who signed in.
  std::optional<Json> user_id() const { return member("userId"); }
  std::optional<Json> verification_records() const { return member("verificationRecords"); }
};

// What they typed.
struct VerifiedIdentifier : Json {
  // username, email or phone.
  std::optional<Json> type() const { return member("type"); }
  std::optional<Json> value() const { return member("value"); }
};

// How somebody proved who they are, without secrets.
struct VerificationRecord : Json {
  std::optional<Json> id() const { return member("id"); }
  // Password or NewPasswordIdentity; further types may be added.
  std::optional<Json> type() const { return member("type"); }
  std::optional<VerifiedIdentifier> identifier() const { return as<VerifiedIdentifier>("identifier"); }
  // Absent where there was nothing to prove.
  std::optional<Json> verified() const { return member("verified"); }
};

// The user whom the token represents.
struct User : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> username() const { return member("username"); }
  std::optional<Json> primary_email() const { return member("primaryEmail"); }
  std::optional<Json> primary_phone() const { return member("primaryPhone"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> avatar() const { return member("avatar"); }
  std::optional<Json> custom_data() const { return member("customData"); }
  std::optional<Json> identities() const { return member("identities"); }
  std::optional<Json> profile() const { return member("profile"); }
  std::optional<Json> application_id() const { return member("applicationId"); }
  std::optional<Json> cimd_client_id() const { return member("cimdClientId"); }
  std::optional<Json> sso_identities() const { return member("ssoIdentities"); }
  // Such as Totp.
  std::optional<Json> mfa_verification_factors() const { return member("mfaVerificationFactors"); }
  std::optional<Json> is_suspended() const { return member("isSuspended"); }
  std::optional<Json> has_password() const { return member("hasPassword"); }
  // Unix milliseconds.
  std::optional<Json> last_sign_in_at() const { return member("lastSignInAt"); }
  // Unix milliseconds.
  std::optional<Json> created_at() const { return member("createdAt"); }
  // Unix milliseconds.
  std::optional<Json> updated_at() const { return member("updatedAt"); }
  std::optional<Json> roles() const { return member("roles"); }
  std::optional<Json> organizations() const { return member("organizations"); }
  std::optional<Json> organization_roles() const { return member("organizationRoles"); }
};

// Who the user is at an identity provider of an enterprise.
struct SsoIdentity : Json {
  std::optional<Json> issuer() const { return member("issuer"); }
  std::optional<Json> identity_id() const { return member("identityId"); }
  std::optional<Json> detail() const { return member("detail"); }
};

struct Role : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> description() const { return member("description"); }
  std::optional<Json> scopes() const { return member("scopes"); }
};

// The API to which a scope belongs.
struct Resource : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> tenant_id() const { return member("tenantId"); }
  std::optional<Json> name() const { return member("name"); }
  // What tokens for it name as their audience.
  std::optional<Json> indicator() const { return member("indicator"); }
  std::optional<Json> is_default() const { return member("isDefault"); }
  // Seconds.
  std::optional<Json> access_token_ttl() const { return member("accessTokenTtl"); }
};

struct Scope : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> description() const { return member("description"); }
  std::optional<Json> resource_id() const { return member("resourceId"); }
  std::optional<Resource> resource() const { return as<Resource>("resource"); }
};

// An organization of which the user is a member.
struct UserOrganization : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> description() const { return member("description"); }
};

// A role of the user in an organization.
struct OrganizationRole : Json {
  std::optional<Json> organization_id() const { return member("organizationId"); }
  std::optional<Json> role_id() const { return member("roleId"); }
  std::optional<Json> role_name() const { return member("roleName"); }
};

struct OidcClientMetadata : Json {
  std::optional<Json> redirect_uris() const { return member("redirectUris"); }
  std::optional<Json> post_logout_redirect_uris() const { return member("postLogoutRedirectUris"); }
};

// The application that asked, without its secrets.
struct Application : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> description() const { return member("description"); }
  // SPA, Native, Traditional or MachineToMachine.
  std::optional<Json> type() const { return member("type"); }
  std::optional<Json> tenant_id() const { return member("tenantId"); }
  std::optional<OidcClientMetadata> oidc_client_metadata() const { return as<OidcClientMetadata>("oidcClientMetadata"); }
  // Settings of its tokens.
  std::optional<Json> custom_client_metadata() const { return member("customClientMetadata"); }
  std::optional<Json> custom_data() const { return member("customData"); }
  std::optional<Json> is_third_party() const { return member("isThirdParty"); }
  // Unix milliseconds.
  std::optional<Json> created_at() const { return member("createdAt"); }
};

// The organization that the token is for.
struct Organization : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> description() const { return member("description"); }
  std::optional<Json> custom_data() const { return member("customData"); }
};

// The body as it would be sent if nobody changed it. Events have more members, each of its own.
struct Event : Json {
  // Such as User.Created.
  std::optional<Json> event() const { return member("event"); }
  // RFC 3339.
  std::optional<Json> created_at() const { return member("createdAt"); }
  std::optional<Json> hook_id() const { return member("hookId"); }
  // The entity as it is after the change; null where there is none.
  std::optional<Json> data() const { return member("data"); }
};

// Where the delivery goes.
struct Hook : Json {
  std::optional<Json> id() const { return member("id"); }
  std::optional<Json> name() const { return member("name"); }
  std::optional<Json> url() const { return member("url"); }
};

// What a message says, in the operator's words or the built-in ones.
struct MessageContent : Json {
  // Plain text; absent where an operator's template of an e-mail is HTML.
  std::optional<Json> text() const { return member("text"); }
  // Of an e-mail.
  std::optional<Json> html() const { return member("html"); }
  // Of an e-mail.
  std::optional<Json> subject() const { return member("subject"); }
  // Of an e-mail: where answers go, if the template says so.
  std::optional<Json> reply_to() const { return member("replyTo"); }
  // Of an e-mail: the sender's name, if the template says so.
  std::optional<Json> send_from() const { return member("sendFrom"); }
};

// Who and what a message is about, as far as it is known.
struct MessageContext : Json {
  // The application that somebody signs in to.
  std::optional<Json> application() const { return member("application"); }
  // The organization that somebody is invited to.
  std::optional<Json> organization() const { return member("organization"); }
  // Who gets the message, as webhooks show users.
  std::optional<Json> user() const { return member("user"); }
  // Who invites.
  std::optional<Json> inviter() const { return member("inviter"); }
  // The address that asked for it.
  std::optional<Json> ip() const { return member("ip"); }
};

// What a transform answers of a delivery that is sent. What is left out stays as it is.
struct Changed {
  // A text is sent as it is, an object or a list as JSON.
  std::optional<std::string> body;
  // Set over the hook's own. Those of the connection, webhook-* and signatures are the server's.
  std::vector<std::pair<std::string, std::string>> headers;
  // Where below the hook's own path, without a leading slash and a query.
  std::optional<std::string> path;
};

// What a transform answers of a delivery that is not sent.
struct Dropped {
  // The reason, which is kept with the delivery.
  std::string drop;
};

// What a message plugin answers: the request that sends the message.
struct MessageRequest {
  // On a host that the operator granted.
  std::string url;
  // POST where it is absent.
  std::optional<std::string> method;
  // Those of the connection are the server's.
  std::vector<std::pair<std::string, std::string>> headers;
  // A text is sent as it is, an object or a list as JSON.
  std::optional<std::string> body;
};

}  // namespace claimsmith
