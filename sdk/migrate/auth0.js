// {{name}}: an Auth0 Action or Rule, as it was. The adapter below it says what `event` and `api` are here.

function original(exports, module) {
{{script}}
}

{{common}}
const iso = (milliseconds) => (milliseconds == null ? undefined : new Date(milliseconds).toISOString());

// What the original does when it starts is done once, when the plugin is loaded.
const loaded = { exports: {} };
new Function("exports", "module", body)(loaded.exports, loaded);

// Auth0's names of the ways to a token.
const PROTOCOLS = {
  authorization_code: "oidc-basic-profile",
  refresh_token: "oauth2-refresh-token",
  "urn:ietf:params:oauth:grant-type:token-exchange": "oauth2-token-exchange",
};

function userOf(user) {
  const { given, family } = namesOf(user);
  const { customData = {} } = user;
  return {
    user_id: user.id,
    username: user.username ?? undefined,
    nickname: user.profile?.nickname ?? user.username ?? undefined,
    name: user.name ?? user.primaryEmail ?? user.username ?? undefined,
    given_name: given ?? undefined,
    family_name: family ?? undefined,
    email: user.primaryEmail ?? undefined,
    get email_verified() {
      return verified(user, "email_verified", "user.email_verified");
    },
    phone_number: user.primaryPhone ?? undefined,
    picture: user.avatar ?? undefined,
    blocked: user.isSuspended,
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    // Auth0 has two drawers, Claimsmith one: who brought both along has them inside, else each shows the whole.
    user_metadata: customData.user_metadata ?? customData,
    app_metadata: customData.app_metadata ?? customData,
    identities: Object.entries(user.identities ?? {}).map(([provider, { userId, details }]) => ({
      provider, connection: provider, user_id: userId, profileData: details, isSocial: true,
    })),
  };
}

function eventOf({ token, context, environmentVariables }, claims) {
  const { user, application, organization } = context;
  const scopes = token.scope?.split(" ").filter(Boolean) ?? [];
  return values("event", {
    client: {
      client_id: application?.id ?? token.clientId, name: application?.name, metadata: application?.customData ?? {},
    },
    organization: organization && {
      id: organization.id, name: organization.name, display_name: organization.name,
      metadata: organization.customData ?? {},
    },
    resource_server: token.aud && { identifier: token.aud },
    secrets: environmentVariables,
    configuration: environmentVariables,
    transaction: values("event.transaction", { requested_scopes: scopes, protocol: PROTOCOLS[token.gty] }),
    accessToken: { customClaims: claims, scope: scopes },
    ...(user && { user: userOf(user), authorization: { roles: roleNames(context) } }),
  });
}

// A denial lets the Action come to its end first, as it does at Auth0; the last word counts.
function apiOf(isIdToken, claims, denial) {
  const setter = (path, counts) => methods(path, {
    setCustomClaim(name, value) {
      if (counts) claims[name] = value;
      return api;
    },
  });
  const api = methods("api", {
    access: methods("api.access", {
      // After a login it is given the reason alone, between machines a code and the reason.
      deny(code, reason = code) {
        denial.reason = String(reason);
        return api;
      },
    }),
    accessToken: setter("api.accessToken", !isIdToken),
    idToken: setter("api.idToken", isIdToken),
  });
  return api;
}

globalThis.UnauthorizedError = class UnauthorizedError extends Error {};

// A Rule is given the user and a context to write to, and ends by calling back.
function ask(rule, event, { isIdToken, environmentVariables, claims, denial }) {
  globalThis.configuration = environmentVariables;
  const { client, transaction } = event;
  const context = values("context", {
    ...event, clientID: client.client_id, clientName: client.name, clientMetadata: client.metadata,
    protocol: transaction.protocol, accessToken: {}, idToken: {},
  });
  return new Promise((resolve, reject) => {
    const callback = (error, _user, after) => (error ? reject(error) : resolve(after ?? context));
    Promise.resolve(rule(event.user, context, callback)).catch(reject);
  }).then(
    (after) => Object.assign(claims, isIdToken ? after.idToken : after.accessToken),
    (error) => {
      if (!(error instanceof UnauthorizedError)) throw error;
      denial.reason = error.message;
    },
  );
}

export const getCustomJwtClaims = async (input) => {
  const { rule, onExecutePostLogin, onExecuteCredentialsExchange } = loaded.exports;
  const { token, context, environmentVariables, api } = input;
  const action = context.user ? onExecutePostLogin : onExecuteCredentialsExchange;
  const isIdToken = token.kind === "IdToken";
  const claims = {};
  const denial = {};
  const event = eventOf(input, claims);
  if (context.user && rule) await ask(rule, event, { isIdToken, environmentVariables, claims, denial });
  else await action?.(event, apiOf(isIdToken, claims, denial));
  if (denial.reason !== undefined) api.denyAccess(denial.reason);
  return claims;
};
