// {{name}}: a FusionAuth lambda, as it was. The adapter below it says what `jwt`, `user` and `registration` are here.

function original() {
{{script}}
}

{{common}}
// What the original does when it starts is done once, when the plugin is loaded.
const populate = new Function(`${body}\nreturn populate;`)();

const present = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));

function userOf(user, registration) {
  const { given, family } = namesOf(user);
  const known = present({
    id: user.id,
    active: !user.isSuspended,
    username: user.username,
    email: user.primaryEmail,
    fullName: user.name,
    firstName: given,
    lastName: family,
    birthDate: user.profile?.birthdate,
    mobilePhone: user.primaryPhone,
    imageUrl: user.avatar,
    timezone: user.profile?.zoneinfo,
    insertInstant: user.createdAt,
    lastUpdateInstant: user.updatedAt,
    lastLoginInstant: user.lastSignInAt,
    data: user.customData ?? {},
    preferredLanguages: [user.profile?.locale].filter(Boolean),
    registrations: [registration],
    memberships: values("user.memberships", {}),
    twoFactor: values("user.twoFactor", {}),
  });
  Object.defineProperty(known, "verified", { get: () => verified(user, "verified", "user.verified") });
  return known;
}

// What FusionAuth kept with a registration is brought along in `customData.registrations`, by the application's id.
function registrationOf(context, application) {
  const { user } = context;
  const { data = {} } = user.customData?.registrations?.[application] ?? {};
  return present({ applicationId: application, roles: roleNames(context), username: user.username, data });
}

// What is known of the token. FusionAuth puts all of it into a token; here only what the lambda sets becomes a claim.
function jwtOf({ token, context }, application) {
  const { user } = context;
  return present({
    sub: user.id,
    aud: application,
    applicationId: application,
    jti: token.jti,
    scope: token.scope,
    email: user.primaryEmail,
    preferred_username: user.username,
    roles: roleNames(context),
  });
}

export const getCustomJwtClaims = async (input) => {
  const { token, context } = input;
  // Tokens of machines are the business of another kind of lambda.
  if (!context.user) return {};
  const application = context.application?.id ?? token.clientId;
  const registration = registrationOf(context, application);
  const jwt = jwtOf(input, application);
  const before = Object.fromEntries(Object.entries(jwt).map(([name, value]) => [name, JSON.stringify(value)]));
  await populate(jwt, userOf(context.user, registration), registration, values("context", {}));
  return Object.fromEntries(Object.entries(jwt).filter(([name, value]) => JSON.stringify(value) !== before[name]));
};
