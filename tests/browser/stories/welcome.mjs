// The start page says what this server is, and leads to what there is.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

story("the start page leads to what there is", async (visit, { server }) => {
  await visit.open("/");
  await visit.see("welcome");
  assert.ok(await visit.tab.getByText(server.origin, { exact: true }).isVisible());
  assert.ok(await visit.tab.getByText("Ready").isVisible());
  const links = await visit.tab.locator("main a").evaluateAll((all) => all.map((link) => link.href));
  assert.equal(links.length, 5);
  for (const link of links) {
    const response = await visit.tab.request.get(link);
    assert.equal(response.status(), 200, link);
  }
  await visit.tab.getByText("Demo application").click();
  await visit.see("demo");
});
