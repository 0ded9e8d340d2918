// {{name}}: a Keycloak script mapper, as it was. The adapter below it says what its variables are here.

function original() {
{{script}}
}

{{common}}
{{java}}
const CLAIM = {{claim}};

const roleOf = (name) => bean("role", { getName: () => name, isClientRole: () => false, toString: () => name });

// Attributes are lists of texts. Their names are those of `customData`, and four that Keycloak itself keeps so.
function attributesOf(own, customData) {
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const attributes = new HashMap();
  for (const [name, value] of Object.entries({ ...customData, ...own })) {
    if (value != null) attributes.put(name, List.from([value].flat(), text));
  }
  return attributes;
}

function userOf(context, token) {
  const { user } = context;
  const { given, family } = namesOf(user);
  // A machine has a user there, of this name.
  const username = user ? user.username : `service-account-${token.clientId}`;
  const own = { username, email: user?.primaryEmail, firstName: given, lastName: family };
  const getters = Object.entries(own).map(([name, value]) => [`get${capital(name)}`, () => value ?? null]);
  const attributes = attributesOf(own, user?.customData);
  const attribute = (name) => attributes.get(name) ?? new List();
  const roles = () => List.from(roleNames(context), roleOf);
  return bean("user", {
    ...Object.fromEntries(getters),
    getId: () => user?.id ?? token.clientId,
    isEnabled: () => !user?.isSuspended,
    isEmailVerified: () => verified(user, "emailVerified", "user.isEmailVerified"),
    getCreatedTimestamp: () => user?.createdAt ?? null,
    getAttributes: () => attributes,
    getAttribute: attribute,
    getAttributeStream: attribute,
    getFirstAttribute: (name) => attribute(name)[0] ?? null,
    getRealmRoleMappings: roles,
    getRealmRoleMappingsStream: roles,
    getRoleMappings: roles,
    getRoleMappingsStream: roles,
    hasRole: (role) => roleNames(context).includes(role.getName()),
  });
}

function clientOf(application, token) {
  const id = () => application?.id ?? token.clientId;
  return bean("client", {
    getId: id,
    getClientId: id,
    getName: () => application?.name ?? null,
    getDescription: () => application?.description ?? null,
    getAttribute: (name) => application?.customData?.[name] ?? null,
  });
}

// What may be read of the token, and how it is given other claims.
function tokenOf(token, user, claims) {
  return bean("token", {
    getOtherClaims: () => claims,
    setOtherClaims: (name, value) => claims.put(name, value),
    getId: () => token.jti ?? null,
    getScope: () => token.scope ?? null,
    getIssuedFor: () => token.clientId ?? null,
    getSubject: () => user.getId(),
    getPreferredUsername: () => user.getUsername(),
    getEmail: () => user.getEmail(),
    getGivenName: () => user.getFirstName(),
    getFamilyName: () => user.getLastName(),
  });
}

// A dot in the claim's name leads into an object, unless a backslash stands before it.
function put(claims, path, value) {
  const names = path.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."));
  const last = names.pop();
  names.reduce((inside, name) => (inside[name] ??= {}), claims)[last] = value;
}

export const getCustomJwtClaims = ({ token, context, environmentVariables }) => {
  const claims = new HashMap();
  const user = userOf(context, token);
  const client = clientOf(context.application, token);
  const realmName = () => environmentVariables.REALM || refuse("the name of the realm, unless the settings say REALM");
  const realm = bean("realm", { getName: realmName, getId: realmName, getRole: roleOf });
  const asked = bean("context", { getClient: () => client, getRealm: () => realm });
  // Every call has a memory of its own: what one leaves in the globals, no other sees.
  Object.assign(globalThis, {
    Java, java, print: console.log, exports: undefined, user, realm,
    token: tokenOf(token, user, claims),
    userSession: bean("userSession", { getUser: () => user, getRealm: () => realm }),
    keycloakSession: bean("keycloakSession", { getContext: () => asked }),
  });
  // Run as a script, since its value is that of its last expression. The empty lines keep it at its own line in traces.
  const value = (0, eval)(`\n\n${body}`) ?? globalThis.exports;
  if (value != null) put(claims, CLAIM, value);
  return settled(claims);
};
