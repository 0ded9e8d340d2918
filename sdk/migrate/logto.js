// {{name}}: a Logto script, as it was. The adapter below it refuses what is not known here.

function original() {
{{script}}
return getCustomJwtClaims;
}

{{common}}
const script = new Function(`"use strict";${body}`)();

const USER = [
  "id", "username", "primaryEmail", "primaryPhone", "name", "avatar", "customData", "identities", "profile",
  "applicationId", "isSuspended", "hasPassword", "lastSignInAt", "createdAt", "updatedAt", "roles", "organizations",
  "organizationRoles",
];
const TOKEN = ["jti", "kind", "aud", "scope", "clientId", "accountId", "gty", "grantId", "extra"];
const APPLICATION = ["id", "name", "description", "type", "customData", "isThirdParty", "createdAt"];

const some = (path, value, absent, more = {}) => value && values(path, { ...value, ...more }, { absent });
const list = (path, items, absent, more = () => ({})) => items?.map((item) => some(path, item, absent, more(item)));

function userOf(user) {
  if (!user) return undefined;
  const named = ["id", "name", "description"];
  const scopes = ({ scopes }) => ({ scopes: list("user.roles[].scopes[]", scopes, [...named, "resourceId"]) });
  return some("user", user, USER, {
    roles: list("user.roles[]", user.roles, [...named, "scopes"], scopes),
    organizations: list("user.organizations[]", user.organizations, named),
    organizationRoles:
      list("user.organizationRoles[]", user.organizationRoles, ["organizationId", "roleId", "roleName"]),
  });
}

export const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  const { user, application, organization, grant, interaction } = context;
  const claims = await script({
    token: some("token", token, TOKEN),
    context: values("context", {
      user: userOf(user),
      application: some("application", application, APPLICATION),
      organization: some("organization", organization, ["id", "name", "description", "customData"]),
      grant: some("grant", grant, ["type", "subjectTokenContext"]),
      interaction: some("interaction", interaction, ["interactionEvent", "userId", "verificationRecords"]),
    }),
    environmentVariables,
    api: values("api", { denyAccess: (message) => api.denyAccess(message) }),
  });
  return settled(plain(claims));
};
