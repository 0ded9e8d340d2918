// A message plugin that does what it is told.
const url = "https://api.example.com/send";

const behaviours = {
  tells: ({ api, ...message }) => ({ url, body: { ...message, api: typeof api.denyMessage, fetch: typeof fetch } }),
  least: () => ({ url }),
  text: () => ({ url, body: "plain text" }),
  list: () => ({ url, body: [1, 2] }),
  form: ({ recipient }) => ({ url, body: new URLSearchParams({ To: recipient, Body: "a b" }) }),
  typed: () => ({ url, headers: { "Content-Type": "application/vnd.api+json" }, body: {} }),
  headers: () => ({ url, headers: new Headers([["X-Kind", "a"]]), method: "put" }),
  basic: () => ({ url, headers: { authorization: `Basic ${btoa("user:pass")}` } }),
  forges: () => ({ url, headers: { Host: "evil.example", "x-mine": "1" } }),
  denies: ({ api }) => api.denyMessage("not there"),
  logs: () => {
    console.warn("here");
    return { url };
  },
  throws: () => {
    throw new Error("no luck");
  },
  throwsText: () => {
    throw "a text";
  },
  nothing: () => undefined,
  asText: () => url,
  asList: () => [url],
  noUrl: () => ({ body: {} }),
  more: () => ({ url, to: "ada" }),
  bodyNumber: () => ({ url, body: 5 }),
  methodNumber: () => ({ url, method: 1 }),
  headersText: () => ({ url, headers: "x-kind: a" }),
  elsewhere: () => ({ url: "https://evil.example/send?code=1" }),
  otherMethod: () => ({ url, method: "DELETE" }),
  get: () => ({ url, method: "GET", body: "x" }),
  noUrlAtAll: () => ({ url: "api" }),
  files: () => ({ url: "file:///etc/passwd" }),
  user: () => ({ url: "https://user:pass@api.example.com/" }),
  splits: () => ({ url, headers: { "x-a": "b\r\nhost: c" } }),
  large: () => ({ url, body: "x".repeat(256 * 1024) }),
  huge: () => ({ url, body: "x".repeat(2 * 1024 * 1024) }),
  loops: () => {
    for (;;);
  },
  allocates: () => {
    const all = [];
    for (;;) all.push(new Uint8Array(1 << 20).fill(1));
  },
  never: () => new Promise(() => {}),
};

export const composeMessage = async (message) => behaviours[message.environmentVariables.BEHAVIOUR](message);
