// Pages of what does not work: an application that nobody knows, a page that has expired, an address where nothing is.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

story("what an application gets wrong is said, and leads nowhere", async (visit, { server, application }) => {
  const client = await application.register(server);
  const right = application.request(server, client).url;
  for (const wrong of [
    right.replace(client, "nobody"),
    right.replace(encodeURIComponent(application.origin), "https%3A%2F%2Fevil.example"),
  ]) {
    const response = await visit.open(wrong);
    assert.equal(response.status(), 400);
    await visit.see("error");
    assert.equal(await visit.tab.locator("main a").count(), 0, "it does not lead to a place that nobody vouches for");
  }
});

story("a page of a sign-in that is over says so", async (visit, { server, application }) => {
  for (const path of ["/sign-in", "/register", "/profile", "/consent", "/switch-account"]) {
    await visit.open(path);
    await visit.see("error");
    assert.match(await visit.tab.locator("h1").innerText(), /expired/);
  }
});

story("where nothing is there is a page that says so", async (visit) => {
  const response = await visit.open("/nothing/here");
  assert.equal(response.status(), 404);
  await visit.see("not-found");
  await visit.tab.getByRole("link", { name: "Go to the start page" }).click();
  await visit.see("welcome");
});
