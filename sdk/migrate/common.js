// What stands below this line is Claimsmith's: it asks the script above as its old home did, and collects what it sets.

// The original was a script, not a module, and scripts forgive more: one may assign a variable that nobody declared. So
// its text is taken from the function above and made a function of that kind. Traces call it `<input>`, and name the
// lines of this file.
const source = original.toString();
const body = source.slice(source.indexOf("{") + 1, source.lastIndexOf("}"));

// What is not known here is refused: a script that decides by it must not decide by nothing, and what it demands must not
// be dropped. A script may catch the error, so the first one is thrown again when the script has ended: then there is no
// token, or one without these claims, as `on_error` says.
let refused;
const refuse = (path) => {
  refused ??= new Error(`${path}: Claimsmith has nothing like it (sdk/docs/migrating.md)`);
  throw refused;
};
const settled = (result) => {
  if (refused) throw refused;
  return result;
};

// What the language itself reads when a value is awaited or logged.
const silent = (name) =>
  name === "toJSON" || name === "then" || (typeof name === "symbol" && name !== Symbol.toPrimitive);

// An object of which only the named members are known; `absent` are known and may be missing. Every other member is
// refused when it is read, asked for with `in`, written or deleted, and so is copying all members, because the copy would
// not refuse. Known members are written only if they are `writable`.
const shown = new WeakMap();
const values = (path, known, { absent = [], writable = [] } = {}) => {
  const at = (name) => `${path}.${String(name)}`;
  const has = (name) => name in known || silent(name) || absent.includes(name);
  const read = (name) => (has(name) ? known[name] : refuse(at(name)));
  const proxy = new Proxy(known, {
    get: (_, name) => read(name),
    has: (_, name) => read(name) !== undefined,
    getOwnPropertyDescriptor: (_, name) =>
      has(name) ? Reflect.getOwnPropertyDescriptor(known, name) : refuse(at(name)),
    set: (_, name, value) => {
      if (!writable.includes(name)) refuse(`${at(name)} = …`);
      known[name] = value;
      return true;
    },
    defineProperty: (_, name) => refuse(`${at(name)} = …`),
    deleteProperty: (_, name) => refuse(`delete ${at(name)}`),
    ownKeys: () => refuse(`all members of ${path}`),
    setPrototypeOf: () => refuse(`the prototype of ${path}`),
  });
  shown.set(proxy, known);
  return proxy;
};

// Claims that a script sets as members: it reads back what it set, and what is `known` before. Names of `refusing` are the
// business of the server and cannot be set, names of `unknown` cannot be read before they are set.
const claimsObject = (path, claims, { known = {}, refusing = [], unknown = [] }) => {
  const at = (name) => `${path}.${String(name)}`;
  const read = (name) => {
    if (Object.hasOwn(claims, name)) return claims[name];
    if (Object.hasOwn(known, name)) return known[name];
    return unknown.includes(name) ? refuse(at(name)) : claims[name];
  };
  return new Proxy(claims, {
    get: (_, name) => read(name),
    has: (_, name) => read(name) !== undefined,
    set: (_, name, value) => {
      if (refusing.includes(name)) refuse(`${at(name)} = …`);
      claims[name] = value;
      return true;
    },
    deleteProperty: (_, name) => (refusing.includes(name) ? refuse(`delete ${at(name)}`) : delete claims[name]),
    defineProperty: (_, name) => refuse(`${at(name)} = …`),
  });
};

// What is known of such an object, and of those inside: for the log.
const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (!shown.has(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(Object.getOwnPropertyDescriptors(shown.get(value) ?? value));
  const known = members.filter(([, member]) => "value" in member);
  return Object.fromEntries(known.map(([name, member]) => [name, plain(member.value)]));
};
for (const level of ["log", "info", "warn", "error", "debug"]) {
  const tell = console[level];
  console[level] = (...told) => tell(...told.map(plain));
}

// The names of the user's roles, those in the organization that the token is for among them. Roles in other
// organizations say nothing about this token.
function roleNames({ user, organization }) {
  const inside = (user?.organizationRoles ?? []).filter(({ organizationId }) => organizationId === organization?.id);
  return [...new Set([...(user?.roles ?? []).map(({ name }) => name), ...inside.map(({ roleName }) => roleName)])];
}

// Given and family name; where only the whole name is known, its first word is taken for the given name.
function namesOf(user) {
  const [first, ...rest] = (user?.name ?? "").split(" ");
  return {
    given: user?.profile?.givenName ?? (first || null),
    family: user?.profile?.familyName ?? (rest.join(" ") || null),
  };
}

// Whether an address was verified is not kept here. What was brought along in `customData` is believed.
function verified(user, name, path) {
  const said = user?.customData?.[name];
  return typeof said === "boolean" ? said : refuse(`${path} (unless customData.${name} says it)`);
}
