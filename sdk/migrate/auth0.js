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
  const identity = ([provider, { userId, details }], index) =>
    values(`user.identities[${index}]`, {
      provider, connection: provider, user_id: userId, profileData: details, isSocial: true,
    });
  return values("user", {
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
    identities: Object.entries(user.identities ?? {}).map(identity),
    // Scripts begin with `user.app_metadata = user.app_metadata || {}`. Nothing of it is kept, at Auth0 neither.
  }, { writable: ["user_metadata", "app_metadata"] });
}

// What is known of a token beside its user. Each object of it refuses what it does not know.
function eventOf({ token, context, environmentVariables }, claims) {
  const { user, application, organization } = context;
  const scopes = token.scope?.split(" ").filter(Boolean) ?? [];
  return {
    client: values("event.client", {
      client_id: application?.id ?? token.clientId, name: application?.name, metadata: application?.customData ?? {},
    }),
    organization: organization && values("event.organization", {
      id: organization.id, name: organization.name, display_name: organization.name,
      metadata: organization.customData ?? {},
    }),
    resource_server: token.aud && values("event.resource_server", { identifier: token.aud }),
    secrets: environmentVariables,
    configuration: environmentVariables,
    transaction: values("event.transaction", { requested_scopes: scopes, protocol: PROTOCOLS[token.gty] }),
    accessToken: values("event.accessToken", { customClaims: claims, scope: scopes }),
    ...(user && { user: userOf(user), authorization: values("event.authorization", { roles: roleNames(context) }) }),
  };
}

// A denial lets the Action come to its end first, as it does at Auth0; the last word counts.
function apiOf(isIdToken, claims, denial) {
  const setter = (path, counts) => values(path, {
    setCustomClaim(name, value) {
      if (counts) claims[name] = value;
      return api;
    },
  });
  const api = values("api", {
    access: values("api.access", {
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

// A Rule is given the user and a context to write claims to, and ends by calling back. `multifactor`, `redirect` and every
// other member by which a Rule demands something are refused when they are written.
function ask(rule, event, { isIdToken, environmentVariables, claims, denial }) {
  globalThis.configuration = environmentVariables;
  const { client, transaction, organization, authorization, user } = event;
  const set = { accessToken: {}, idToken: {} };
  const context = values("context", {
    clientID: client.client_id, clientName: client.name, clientMetadata: client.metadata,
    protocol: transaction.protocol, organization, authorization,
    accessToken: claimsObject("context.accessToken", set.accessToken, {
      known: { scope: transaction.requested_scopes }, refusing: ["scope"],
    }),
    idToken: claimsObject("context.idToken", set.idToken, {}),
  });
  const end = (given, after) => {
    if (given != null && given !== user) refuse("another user than the one that the Rule was given");
    if (after != null && after !== context) refuse("another context than the one that the Rule was given");
  };
  return new Promise((resolve, reject) => {
    const callback = (error, given, after) => {
      try {
        if (error) throw error;
        end(given, after);
      } catch (reason) {
        return reject(reason);
      }
      resolve();
    };
    Promise.resolve(rule(user, context, callback)).catch(reject);
  }).then(
    () => Object.assign(claims, isIdToken ? set.idToken : set.accessToken),
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
  else await action?.(values("event", event, { absent: ["user", "authorization"] }), apiOf(isIdToken, claims, denial));
  if (denial.reason !== undefined) api.denyAccess(denial.reason);
  return settled(claims);
};
