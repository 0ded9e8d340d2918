// Three headers with which a sign-in would work in every test but that of a browser. Each story goes through it as it
// is, and then with the header wrong, where it has to fail: otherwise it would prove nothing.

import assert from "node:assert/strict";
import { page } from "../application.mjs";
import { PASSWORD } from "../people.mjs";
import { SUBMIT } from "../visit.mjs";
import { story } from "../world.mjs";

/** Has the sign-in page come with headers that are changed, from when it is asked for by its own address. */
const change = (visit, changed) =>
  visit.context.route(`${visit.server.origin}/sign-in`, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: changed(response.headers()) });
  });

const restrictForms = (headers) => {
  const policy = headers["content-security-policy"];
  return { ...headers, "content-security-policy": `${policy}; form-action 'self'` };
};

story("a form may lead to an application that redirects once more", async (visit, { server, application }) => {
  await server.user({ username: "trap1", password: PASSWORD });
  // From the application to another origin: browsers hold `form-action` against that as well.
  application.serve("/onward", (url) => ({ location: `${application.neighbour}/arrived${url.search}` }));
  const client = await application.register(server, { path: "/onward" });
  const arrives = async () => {
    await visit.open(application.request(server, client, { path: "/onward", prompt: "login" }).url);
    await visit.open("/sign-in");
    await visit.see("sign-in");
    await visit.fillIn({ identifier: "trap1", password: PASSWORD });
    await visit.tab.click(SUBMIT);
    const arrived = visit.tab.waitForURL(`${application.neighbour}/arrived**`, { timeout: 3000 });
    return arrived.then(() => true, () => false);
  };
  assert.ok(await arrives(), "people get to the application");

  await change(visit, restrictForms);
  assert.ok(!(await arrives()), "with form-action 'self' they would not");
  assert.match(visit.complaints().join(), /form-action/);
});

story("a form says which origin it comes from", async (visit, { server, application }) => {
  await server.user({ username: "trap2", password: PASSWORD });
  const client = await application.register(server);
  const posts = async () => {
    await visit.open(application.request(server, client, { prompt: "login" }).url);
    await visit.open("/sign-in");
    await visit.see("sign-in");
    const asked = visit.tab.waitForRequest((request) => request.method() === "POST");
    const answered = visit.tab.waitForResponse((response) => response.request().method() === "POST");
    await visit.send({ identifier: "trap2", password: PASSWORD });
    const { origin } = await (await asked).allHeaders();
    return { origin, status: (await answered).status() };
  };
  assert.deepEqual(await posts(), { origin: server.origin, status: 303 });

  await change(visit, (headers) => ({ ...headers, "referrer-policy": "no-referrer" }));
  assert.deepEqual(await posts(), { origin: "null", status: 403 }, "with no-referrer people would be refused");
});

story("an application that opened a window gets the answer in it", async (visit, { server, application }) => {
  await server.user({ username: "trap3", password: PASSWORD });
  const client = await application.register(server, { path: "/in-window" });
  application.serve("/in-window", page("", "opener?.postMessage(location.search, location.origin)"));
  application.serve("/opener", page(
    "<button>Sign in</button>",
    `document.querySelector("button").onclick = () => open(new URLSearchParams(location.search).get("to"));
     onmessage = ({ data }) => document.body.append(data);`,
  ));
  const isAnswered = async () => {
    const { url } = application.request(server, client, { path: "/in-window", prompt: "login" });
    await visit.tab.goto(`${application.origin}/opener?to=${encodeURIComponent(url)}`);
    const opened = visit.context.waitForEvent("page");
    await visit.tab.click("button");
    const window = await opened;
    await window.waitForURL(/sign-in/);
    await window.goto(`${server.origin}/sign-in`);
    await window.fill("#identifier", "trap3");
    await window.fill("#password", PASSWORD);
    await window.click("button[type=submit]");
    await window.waitForURL(/in-window/);
    const answered = visit.tab.getByText("code=").waitFor({ timeout: 3000 });
    const is = await answered.then(() => true, () => false);
    await window.close();
    return is;
  };
  assert.ok(await isAnswered(), "the window of the application learns of it");

  const separate = (headers) => ({ ...headers, "cross-origin-opener-policy": "same-origin" });
  await change(visit, separate);
  assert.ok(!(await isAnswered()), "with a Cross-Origin-Opener-Policy it would not");
});
