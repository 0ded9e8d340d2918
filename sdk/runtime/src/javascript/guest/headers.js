// Names that belong to values, as the web's own classes keep them: Headers and URLSearchParams.

function pairsOf(init) {
  if (init == null) return [];
  if (typeof init[Symbol.iterator] === "function") return [...init];
  return Object.entries(init);
}

export class Headers {
  #values = new Map();

  constructor(init) {
    for (const [name, value] of pairsOf(init)) this.append(name, value);
  }

  append(name, value) {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${String(value).trim()}`);
  }

  set(name, value) {
    this.#values.set(String(name).toLowerCase(), String(value).trim());
  }

  get(name) {
    return this.#values.get(String(name).toLowerCase()) ?? null;
  }

  has(name) {
    return this.#values.has(String(name).toLowerCase());
  }

  delete(name) {
    this.#values.delete(String(name).toLowerCase());
  }

  forEach(visit) {
    for (const [name, value] of this) visit(value, name, this);
  }

  *entries() {
    yield* [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }
}

// As forms are encoded: a space is a plus, and these five are not left as they are.
const escaped = (text) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+");

const unescaped = (text) => {
  const plain = text.replace(/\+/g, " ");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
};

export class URLSearchParams {
  #pairs;

  constructor(init) {
    const parts = typeof init === "string" ? init.replace(/^\?/, "").split("&").filter(Boolean) : null;
    const split = (part) => part.match(/^([^=]*)=?(.*)$/s).slice(1).map(unescaped);
    this.#pairs = parts?.map(split) ?? pairsOf(init).map(([name, value]) => [String(name), String(value)]);
  }

  append(name, value) {
    this.#pairs.push([String(name), String(value)]);
  }

  set(name, value) {
    const at = this.#pairs.findIndex(([other]) => other === String(name));
    this.#pairs = this.#pairs.filter(([other], index) => other !== String(name) || index === at);
    if (at < 0) this.append(name, value);
    else this.#pairs[at][1] = String(value);
  }

  get(name) {
    return this.#pairs.find(([other]) => other === String(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter(([other]) => other === String(name)).map(([, value]) => value);
  }

  has(name) {
    return this.#pairs.some(([other]) => other === String(name));
  }

  delete(name) {
    this.#pairs = this.#pairs.filter(([other]) => other !== String(name));
  }

  forEach(visit) {
    for (const [name, value] of this) visit(value, name, this);
  }

  *entries() {
    yield* this.#pairs.map((pair) => [...pair]);
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    return this.#pairs.map((pair) => pair.map(escaped).join("=")).join("&");
  }
}

globalThis.Headers = Headers;
globalThis.URLSearchParams = URLSearchParams;
