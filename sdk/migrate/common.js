// What stands below this line is Claimsmith's: it asks the script above as its old home did, and collects what it sets.

// The original was a script, not a module, and scripts forgive more: one may assign a variable that nobody declared. So
// its text is taken from the function above and made a function of that kind. Traces call it `<input>`, and name the
// lines of this file.
const source = original.toString();
const body = source.slice(source.indexOf("{") + 1, source.lastIndexOf("}"));

const refuse = (path) => {
  throw new Error(`${path}: Claimsmith has nothing like it (sdk/docs/migrating.md)`);
};

// A value that is not known here is refused when it is read: a script that decides by it must not decide by nothing.
// Symbols, `toJSON` and `then` are what the language itself reads when a value is logged or awaited.
const silent = (name) =>
  name === "toJSON" || name === "then" || (typeof name === "symbol" && name !== Symbol.toPrimitive);
const values = (path, known) =>
  new Proxy(known, {
    get: (target, name) => (name in target || silent(name) ? target[name] : refuse(`${path}.${String(name)}`)),
  });

// A method, or a family of them, that cannot be called here.
const uncallable = (path) =>
  new Proxy(() => {}, {
    apply: () => refuse(path),
    get: (_, name) => {
      if (name === Symbol.toPrimitive) refuse(path);
      return silent(name) ? undefined : uncallable(`${path}.${name}`);
    },
  });

// An object with the methods that are known; every other one is there as well, and refused when it is called.
const methods = (path, known) =>
  new Proxy(known, {
    get: (target, name) => (name in target || silent(name) ? target[name] : uncallable(`${path}.${name}`)),
  });

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
