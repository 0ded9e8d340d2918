// Lists, sets and streams of Java: all are this list, which has the methods of JavaScript's as well.
class List extends Array {
  size() { return this.length; }
  count() { return this.length; }
  isEmpty() { return this.length === 0; }
  get(index) { return this[index]; }
  getFirst() { return this[0]; }
  add(value) { return this.push(value) > 0; }
  addAll(values) { return this.push(...values) > 0; }
  contains(value) { return this.includes(value); }
  toArray() { return List.from(this); }
  stream() { return this; }
  toList() { return this; }
  distinct() { return List.from(new Set(this)); }
  sorted(compare) { return List.from(this).sort(compare); }
  limit(count) { return this.slice(0, count); }
  anyMatch(test) { return this.some(test); }
  allMatch(test) { return this.every(test); }
  noneMatch(test) { return !this.some(test); }
  findFirst() { return optional(this[0]); }
  findAny() { return optional(this[0]); }
  collect(collector) { return collector(this); }
  iterator() {
    let next = 0;
    return { hasNext: () => next < this.length, next: () => this[next++] };
  }
}

const optional = (value) => values("Optional", {
  isPresent: () => value !== undefined,
  isEmpty: () => value === undefined,
  get: () => value ?? refuse("the value of an empty Optional"),
  orElse: (other) => value ?? other,
  map: (change) => optional(value === undefined ? value : change(value)),
  ifPresent: (use) => (value === undefined ? undefined : use(value)),
});

// Its entries are its members, so that it becomes JSON as it is.
class HashMap {
  put(key, value) { this[key] = value; }
  putAll(entries) { Object.assign(this, entries); }
  get(key) { return this.containsKey(key) ? this[key] : null; }
  getOrDefault(key, other) { return this.containsKey(key) ? this[key] : other; }
  containsKey(key) { return Object.hasOwn(this, key); }
  remove(key) { delete this[key]; }
  size() { return Object.keys(this).length; }
  isEmpty() { return this.size() === 0; }
  keySet() { return List.from(Object.keys(this)); }
  values() { return List.from(Object.values(this)); }
  entrySet() { return this.keySet().map((key) => ({ getKey: () => key, getValue: () => this[key] })); }
  forEach(visit) { this.entrySet().forEach((entry) => visit(entry.getKey(), entry.getValue())); }
}

// A list may be asked for with the number of its places, or with what is to be in it.
function ArrayList(values) { return List.from(typeof values === "object" ? values : []); }

// A set holds a value once.
class Distinct extends List {
  add(value) { return !this.includes(value) && super.add(value); }
  addAll(values) { return [...values].filter((value) => this.add(value)).length > 0; }
}
function HashSet(values) { return Distinct.from(new Set(typeof values === "object" ? values : [])); }

const Collectors = values("Collectors", {
  toList: () => (list) => list,
  toSet: () => (list) => list.distinct(),
  joining: (separator = "") => (list) => list.join(separator),
});
const util = values("java.util", {
  ArrayList, LinkedList: ArrayList, HashSet, LinkedHashSet: HashSet, HashMap, LinkedHashMap: HashMap,
  stream: values("java.util.stream", { Collectors }),
});
const java = values("java", { util });
const shownAll = values("classes", { java });
const Java = values("Java", {
  type: (name) =>
    name.split(".").reduce((found, part) => (part in (shown.get(found) ?? {}) ? found[part] : undefined), shownAll) ??
    refuse(`Java.type("${name}")`),
  to: (values) => List.from(values),
  from: (values) => Array.from(values),
});

// The getters of a Java object, which may be written `user.username` as well as `user.getUsername()`.
const capital = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
const bean = (path, getters) => {
  const getterOf = (name) => [`get${capital(name)}`, `is${capital(name)}`].find((getter) => getter in getters);
  const read = (name) => {
    if (typeof name === "symbol" || name in getters || silent(name)) return getters[name];
    const getter = name && getterOf(name);
    return getter ? getters[getter]() : refuse(`${path}.${name}`);
  };
  return new Proxy(getters, {
    get: (_, name) => read(name),
    has: (_, name) => read(name) !== undefined,
    set: (_, name) => refuse(`${path}.${String(name)} = …`),
    defineProperty: (_, name) => refuse(`${path}.${String(name)} = …`),
    deleteProperty: (_, name) => refuse(`delete ${path}.${String(name)}`),
    getOwnPropertyDescriptor: (_, name) =>
      name in getters ? Reflect.getOwnPropertyDescriptor(getters, name) : refuse(`${path}.${String(name)}`),
    ownKeys: () => refuse(`all members of ${path}`),
  });
};
