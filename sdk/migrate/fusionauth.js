// {{name}}: a FusionAuth lambda, as it was. The adapter below it says what `jwt`, `user` and `registration` are here.

function original() {
{{script}}
}

{{common}}
// What the original does when it starts is done once, when the plugin is loaded.
const populate = new Function(`${body}\nreturn populate;`)();

// Claims of FusionAuth that are not known here, and those that the server sets itself.
const NOT_KNOWN = ["authenticationType", "auth_time", "email_verified", "exp", "gty", "iat", "iss", "nonce", "sid", "tid"];
const RESERVED = [
  "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_id", "azp", "scope", "act", "may_act", "cnf", "typ", "auth_time",
  "nonce", "sid", "at_hash", "c_hash", "s_hash", "organization_id",
];

function userOf(user, registration) {
  const { given, family } = namesOf(user);
  return values("user", {
    id: user.id,
    active: !user.isSuspended,
    username: user.username ?? undefined,
    email: user.primaryEmail ?? undefined,
    fullName: user.name ?? undefined,
    firstName: given ?? undefined,
    lastName: family ?? undefined,
    birthDate: user.profile?.birthdate,
    mobilePhone: user.primaryPhone ?? undefined,
    imageUrl: user.avatar ?? undefined,
    timezone: user.profile?.zoneinfo,
    insertInstant: user.createdAt,
    lastUpdateInstant: user.updatedAt,
    lastLoginInstant: user.lastSignInAt ?? undefined,
    data: user.customData ?? {},
    preferredLanguages: [user.profile?.locale].filter(Boolean),
    registrations: [registration],
    get verified() {
      return verified(user, "verified", "user.verified");
    },
  });
}

// What FusionAuth kept with a registration is brought along in `customData.registrations`, by the application's id.
function registrationOf(context, application) {
  const { user } = context;
  const { data = {} } = user.customData?.registrations?.[application] ?? {};
  return values("registration", {
    applicationId: application, roles: roleNames(context), username: user.username ?? undefined, data,
  });
}

// What is known of the token. FusionAuth puts all of it into a token; here only what the lambda sets becomes a claim.
function jwtOf({ token, context }, application) {
  const { user } = context;
  const known = {
    sub: user.id,
    aud: application,
    applicationId: application,
    jti: token.jti,
    scope: token.scope,
    email: user.primaryEmail,
    preferred_username: user.username,
    roles: roleNames(context),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value != null));
}

export const getCustomJwtClaims = async (input) => {
  const { token, context } = input;
  // Tokens of machines are the business of another kind of lambda.
  if (!context.user) return {};
  const application = context.application?.id ?? token.clientId;
  const registration = registrationOf(context, application);
  const jwt = jwtOf(input, application);
  const before = Object.fromEntries(Object.entries(jwt).map(([name, value]) => [name, JSON.stringify(value)]));
  const shownToken = claimsObject("jwt", jwt, { refusing: RESERVED, unknown: NOT_KNOWN });
  await populate(shownToken, userOf(context.user, registration), registration, values("context", {}));
  const changed = Object.entries(jwt).filter(([name, value]) => JSON.stringify(value) !== before[name]);
  return settled(Object.fromEntries(changed));
};
