// {{name}}: a ZITADEL action, as it was. The adapter below it says what `ctx` and `api` are here.

function original(require) {
{{script}}
}

{{common}}
const ACTION = "{{function}}";
const OWN = "urn:zitadel:iam";

const MODULES = {
  "zitadel/log": console,
  "zitadel/uuid": values("zitadel/uuid", { v4: () => crypto.randomUUID() }),
};
const require = (name) => MODULES[name] ?? refuse(`require("${name}")`);

// What the original does when it starts is done once, when the plugin is loaded.
const action = new Function("require", `${body}\nreturn ${ACTION};`)(require);

const date = (milliseconds) => (milliseconds == null ? undefined : new Date(milliseconds));

// A person, or the machine that the application is.
function userOf({ user, application }, token) {
  if (!user) {
    const id = application?.id ?? token.clientId;
    const machine = { name: application?.name, description: application?.description };
    return values(
      "user",
      { id, state: 1, username: id, human: undefined, machine: values("user.machine", machine) },
      { absent: ["creationDate", "changeDate", "preferredLoginName", "loginNames", "resourceOwner"] },
    );
  }
  const { given, family } = namesOf(user);
  const names = [user.username, user.primaryEmail].filter(Boolean);
  return values("user", {
    id: user.id,
    creationDate: date(user.createdAt),
    changeDate: date(user.updatedAt),
    state: user.isSuspended ? 5 : 1,
    username: names[0],
    preferredLoginName: names[0],
    loginNames: names,
    resourceOwner: user.customData?.resourceOwner,
    machine: undefined,
    human: values("user.human", {
      firstName: given,
      lastName: family,
      nickName: user.profile?.nickname,
      displayName: user.name ?? names[0],
      avatarKey: user.avatar,
      preferredLanguage: user.profile?.locale,
      email: user.primaryEmail,
      get isEmailVerified() {
        return verified(user, "isEmailVerified", "human.isEmailVerified");
      },
      phone: user.primaryPhone,
      get isPhoneVerified() {
        return verified(user, "isPhoneVerified", "human.isPhoneVerified");
      },
    }),
  });
}

// Roles are granted per project there. Here they belong to the user, or to the user in the token's organization; the
// project is the one that the settings name.
function grantsOf(context, projectId) {
  const { user, organization } = context;
  const grant = (orgId, roles) =>
    values("grant", { projectId, orgId, userGrantResourceOwner: orgId, userId: user?.id, roles });
  const inside = (user?.organizationRoles ?? []).filter(({ organizationId }) => organizationId === organization?.id);
  const grants = [
    grant(undefined, (user?.roles ?? []).map(({ name }) => name)),
    grant(organization?.id, inside.map(({ roleName }) => roleName)),
  ].filter(({ roles }) => roles.length > 0);
  return values("ctx.v1.user.grants", { count: grants.length, grants });
}

// Metadata is a list of keys and values there, and an object here.
function metadataOf(customData = {}) {
  const metadata = Object.entries(customData).map(([key, value]) => values("metadata", { key, value }));
  return values("metadata", { count: metadata.length, metadata });
}

export const getCustomJwtClaims = async ({ token, context, environmentVariables }) => {
  const { user, organization } = context;
  const claims = {};
  const told = [];
  // The first to set a claim wins, and names of ZITADEL's own are not to be had.
  const setClaim = (key, value) => {
    if (key.startsWith(OWN)) return;
    if (Object.hasOwn(claims, key)) told.push(`key "${key}" already exists`);
    else claims[key] = value;
  };
  const known = { sub: user?.id ?? token.clientId, client_id: token.clientId, scope: token.scope, jti: token.jti };
  const ctx = values("ctx", {
    v1: values("ctx.v1", {
      claims: values("ctx.v1.claims", known),
      getUser: () => userOf(context, token),
      user: values("ctx.v1.user", {
        getMetadata: () => metadataOf(user?.customData),
        grants: grantsOf(context, environmentVariables.PROJECT_ID),
      }),
      org: values("ctx.v1.org", { getMetadata: () => metadataOf(organization?.customData) }),
    }),
  });
  const setters = { setClaim, appendLogIntoClaims: (line) => told.push(String(line)) };
  const api = values("api", {
    v1: values("api.v1", {
      claims: values("api.v1.claims", setters),
      userinfo: values("api.v1.userinfo", setters),
      user: values("api.v1.user", {}),
    }),
  });
  await action(ctx, api);
  return settled(told.length > 0 ? { ...claims, [`${OWN}:action:${ACTION}:log`]: told } : claims);
};
