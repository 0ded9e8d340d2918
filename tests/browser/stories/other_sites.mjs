// What other sites can do with the browser of somebody: nothing. No page is shown in a frame, no form of another origin
// is taken, and nobody is signed in to the account of somebody else.

import assert from "node:assert/strict";
import { page, sendingForm } from "../application.mjs";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("no page is shown in a frame", async (visit, { server, application }) => {
  const client = await application.register(server);
  // With an interaction there is a sign-in page to be shown.
  await visit.open(application.request(server, client).url);
  await visit.see("sign-in");
  application.serve("/frame", (url) => page(`<iframe src="${url.searchParams.get("show")}"></iframe>`));
  for (const origin of [application.origin, application.neighbour]) {
    for (const path of ["/", "/sign-in", "/register", "/demo", "/nothing", "/signed-out", "/oidc/session/end"]) {
      await visit.tab.goto(`${origin}/frame?show=${server.origin}${path}`);
      const [, framed] = visit.tab.frames();
      await framed.waitForLoadState();
      assert.equal(framed.url(), "chrome-error://chromewebdata/", path);
      assert.match(visit.complaints().join(), /frame-ancestors/, path);
    }
  }
});

story("no form of another origin is taken, whatever it knows", async (visit, { server, application }) => {
  const id = await server.user({ username: "victim", password: PASSWORD });
  const client = await application.register(server);
  const request = application.request(server, client);
  await visit.open(request.url);
  await visit.see("sign-in");
  // Even with the token of the page, and from another port of the same host, whose requests have the cookies.
  const csrf = await visit.tab.inputValue("[name=csrf]");
  const fields = { csrf, identifier: "victim", password: PASSWORD };
  for (const origin of [application.neighbour, application.origin]) {
    for (const [path, status] of [["/sign-in", 403], ["/register", 403], ["/demo/sign-in", 403]]) {
      application.serve("/attack", sendingForm(server.origin + path, fields));
      const answered = visit.tab.waitForResponse((response) => response.url() === server.origin + path);
      await visit.tab.goto(`${origin}/attack`);
      const response = await answered;
      // Of another site, no cookie of the interaction comes along: there is nothing to be refused.
      const isOfSite = origin === application.neighbour || path === "/demo/sign-in";
      assert.equal(response.status(), isOfSite ? status : 400, `${origin} ${path}`);
      await visit.see("error");
    }
  }
  // It kept nobody out.
  await visit.open("/sign-in");
  await visit.see("sign-in");
  await visit.send({ identifier: "victim", password: PASSWORD });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  const { sessions } = await server.call("GET", `/users/${id}/sessions`);
  assert.equal(sessions.length, 1);
});

story("nobody is signed in to the account of somebody else", async (visit, world) => {
  const { server, application } = world;
  await server.user({ username: "attacker", password: PASSWORD });
  const client = await application.register(server);
  const attacker = await world.visit();
  const request = application.request(server, client);
  await attacker.open(request.url);
  await attacker.see("sign-in");
  const csrf = await attacker.tab.inputValue("[name=csrf]");

  // The attacker's own form and credentials, sent by the victim's browser, which has an interaction of its own.
  const own = application.request(server, client);
  await visit.open(own.url);
  await visit.see("sign-in");
  const fields = { csrf, identifier: "attacker", password: PASSWORD };
  application.serve("/log-in", sendingForm(`${server.origin}/sign-in`, fields));
  await visit.tab.goto(`${application.neighbour}/log-in`);
  await visit.see("error");

  // The attacker's sign-in, almost done: its address is worth nothing in another browser.
  const resumed = attacker.tab.waitForRequest((asked) => asked.url().includes("/oidc/auth/"));
  await attacker.send({ identifier: "attacker", password: PASSWORD });
  const resume = (await resumed).url();
  await visit.open(resume);
  await visit.see("error");
  const silent = application.request(server, client, { prompt: "none" });
  await visit.open(silent.url);
  assert.equal((await application.told(visit.tab, silent)).error, "login_required");
});

story("a cookie that was planted before signing in opens nothing", async (visit, world) => {
  const { server, application } = world;
  await server.user({ username: "fixed", password: PASSWORD });
  const client = await application.register(server);
  const planted = { name: "claimsmith-session", value: "x".repeat(43), url: server.origin };
  await visit.context.addCookies([planted]);
  const request = application.request(server, client);
  await visit.open(request.url);
  await visit.see("sign-in");
  await visit.send({ identifier: "fixed", password: PASSWORD });
  await application.exchange(visit.tab, server, request);
  const attacker = await world.visit();
  await attacker.context.addCookies([planted]);
  const silent = application.request(server, client, { prompt: "none" });
  await attacker.open(silent.url);
  assert.equal((await application.told(attacker.tab, silent)).error, "login_required");
});
