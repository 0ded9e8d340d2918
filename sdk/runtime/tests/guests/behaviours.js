// One plugin for every way to behave and to misbehave, chosen by the variable BEHAVIOUR.
let calls = 0;
const sink = [];

const dive = (depth) => dive(depth + 1) + 1;

const behaviours = {
  echo: ({ token, context, environmentVariables }) => ({ token, context, environmentVariables }),
  count: () => ({ calls: (calls += 1), leaked: (globalThis.leaked = (globalThis.leaked ?? 0) + 1) }),
  random: () => ({ number: Math.random(), uuid: crypto.randomUUID(), bytes: [...crypto.getRandomValues(new Uint8Array(20))] }),
  manyRandom: () => ({ sum: crypto.getRandomValues(new Uint32Array(16384)).length, numbers: Array.from({ length: 200 }, Math.random) }),
  clock: () => ({ now: Date.now(), year: new Date().getUTCFullYear() }),
  precise: () => {
    const seen = new Set();
    for (let at = 0; at < 20000; at += 1) seen.add(performance.now());
    const values = [...seen];
    return {
      whole: values.every((value) => Number.isInteger(value)),
      rising: values.every((value, at) => at === 0 || value > values[at - 1]),
      first: values[0],
      dates: Number.isInteger(Date.now()),
      names: Object.keys(performance),
    };
  },
  world: () => ({ process: typeof process, require: typeof require, std: typeof std, os: typeof os, wit: Object.keys(wit).length }),
  text: () => ({
    bytes: [...new TextEncoder().encode("aé€😀")],
    text: new TextDecoder().decode(new Uint8Array([97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 255, 237, 160, 128])),
    base64: btoa("a\u00ffb") + btoa("ab") + btoa("abc"),
    back: atob("Yf9i") + atob("YWI=") + atob("YWI"),
    refused: [() => atob("a"), () => btoa("€"), () => new TextDecoder("utf-16"), () => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))].map(
      (attempt) => {
        try {
          return String(attempt());
        } catch (error) {
          return error.name;
        }
      },
    ),
  }),
  logs: () => {
    console.debug("one", 1, { two: 2n }, [3]);
    console.log("%s", null, undefined);
    console.info("info");
    console.warn("warn");
    console.error(new Error("seen"));
    return {};
  },
  chatter: () => {
    for (let line = 0; line < 1000; line += 1) console.log(`line ${line} ${"x".repeat(90)}`);
    return {};
  },
  deny: ({ api }) => api.denyAccess("no ticket"),
  denyLater: async ({ api }) => {
    await null;
    api.denyAccess();
  },
  throwError: () => {
    throw new TypeError("no such ticket");
  },
  reject: async () => {
    await null;
    throw new RangeError("later");
  },
  throwText: () => {
    throw "a text";
  },
  throwObject: () => Promise.reject({ code: 7 }),
  fetch: async () => ({ status: (await fetch("https://example.com/x")).status }),
  fetchAll: async ({ environmentVariables }) => {
    const ask = async (url) => {
      try {
        const answer = await fetch(url, JSON.parse(environmentVariables.INIT ?? "{}"));
        return { status: answer.status, ok: answer.ok, type: answer.headers.get("Content-Type"), text: await answer.text() };
      } catch (error) {
        return { error: error instanceof TypeError ? error.message : String(error) };
      }
    };
    return { answers: await Promise.all(environmentVariables.URLS.split(" ").map(ask)) };
  },
  response: async () => {
    const url = "https://api.example.com/json";
    const [one, two] = [await fetch(url), await fetch({ url })];
    const body = await one.json();
    const again = await one.text().catch((error) => error.name);
    return {
      body,
      again,
      bytes: [...new Uint8Array(await two.arrayBuffer())].slice(0, 3),
      headers: [...two.headers.entries()],
      has: [two.headers.has("X-One"), two.headers.has("X-Two")],
    };
  },
  params: async () => {
    const body = new URLSearchParams({ a: "1 2", b: "ä&=" });
    body.append("a", "3");
    await fetch("https://api.example.com/form", { method: "post", headers: { "X-Key": "k" }, body });
    const read = new URLSearchParams("?a=1+2&b=%C3%A4&a=3&c");
    return { text: `${body}`, all: read.getAll("a"), b: read.get("b"), c: read.get("c"), d: read.get("d") };
  },
  importOther: async () => ({ module: await import("./other.js") }),
  never: () => new Promise(() => {}),
  loop: () => {
    for (;;);
  },
  asyncLoop: async () => {
    for (;;) await null;
  },
  backtrack: () => ({ matches: /^(a+)+$/.test(`${"a".repeat(40)}b`) }),
  dive: () => ({ depth: dive(0) }),
  memory: () => {
    for (;;) sink.push(new Uint8Array(1 << 20).fill(1));
  },
  caughtMemory: () => {
    try {
      for (;;) sink.push(new Uint8Array(1 << 20).fill(1));
    } catch {
      sink.length = 0;
    }
    return { survived: true };
  },
  megabytes: ({ environmentVariables }) => {
    for (let at = 0; at < Number(environmentVariables.SIZE); at += 1) sink.push(new Uint8Array(1 << 20));
    return { kept: sink.length };
  },
  size: ({ environmentVariables }) => ({ x: "x".repeat(Number(environmentVariables.SIZE)) }),
  reserved: () => ({ sub: "root", plan: "gold", iss: "me", act: { sub: "x" } }),
  list: () => [1, 2],
  number: () => 5,
  text_: () => "claims",
  nothing: () => {},
  nul: () => null,
  cycle: () => {
    const cycle = {};
    cycle.cycle = cycle;
    return cycle;
  },
  deepJson: () => {
    let deep = {};
    for (let at = 0; at < 300; at += 1) deep = { deep };
    return deep;
  },
};

export const getCustomJwtClaims = (input) => behaviours[input.environmentVariables.BEHAVIOUR](input);
