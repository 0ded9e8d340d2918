// A webhook transform that does what it is told.
const behaviours = {
  nothing: () => undefined,
  empty: () => ({}),
  tells: (delivery) => ({ body: { ...delivery, api: typeof delivery.api, fetch: typeof fetch } }),
  object: ({ event }) => ({ body: { ...event, seen: true } }),
  text: () => ({ body: "plain text" }),
  list: () => ({ body: [1, 2] }),
  headers: () => ({ headers: { "X-Kind": "a", "content-type": "text/plain", Retries: 3 } }),
  headersObject: () => ({ headers: new Headers([["x-kind", "a"]]) }),
  pairs: () => ({ headers: [["x-kind", "a"], ["X-Kind", "b"]] }),
  path: ({ event }) => ({ path: `users/${event.event.toLowerCase()}/./` }),
  forges: () => ({ headers: { Host: "evil.example", "webhook-signature": "v1,x", "x-mine": "1" } }),
  splits: () => ({ headers: { "x-a": "b\r\nwebhook-id: 1" } }),
  nul: () => ({ body: "a\0b" }),
  nulInJson: () => ({ body: { a: "\0" } }),
  climbs: () => ({ path: "../../admin" }),
  drop: () => ({ drop: "nobody reads it" }),
  random: () => ({ body: { uuid: crypto.randomUUID() } }),
  logs: () => console.warn("here"),
  throws: () => {
    throw new Error("no luck");
  },
  throwsText: () => {
    throw "a text";
  },
  denies: () => {
    throw { tag: "denied", val: "no" };
  },
  event: ({ event }) => event,
  asList: () => [1],
  asText: () => "body",
  bodyNumber: () => ({ body: 5 }),
  bodyNull: () => ({ body: null }),
  headersText: () => ({ headers: "x-kind: a" }),
  headerObject: () => ({ headers: { "x-kind": { a: 1 } } }),
  pathObject: () => ({ path: { a: 1 } }),
  dropNothing: () => ({ drop: "" }),
  dropAndBody: () => ({ drop: "a", body: "b" }),
  loops: () => {
    for (;;);
  },
  allocates: () => {
    const all = [];
    for (;;) all.push(new Uint8Array(1 << 20).fill(1));
  },
  large: () => ({ body: "x".repeat(256 * 1024 + 1) }),
  huge: () => ({ body: "x".repeat(2 * 1024 * 1024) }),
  largest: () => ({ body: "x".repeat(256 * 1024) }),
  never: () => new Promise(() => {}),
};

export const transformWebhook = async (delivery) => {
  const { BEHAVIOUR } = delivery.environmentVariables;
  return behaviours[BEHAVIOUR](delivery);
};
