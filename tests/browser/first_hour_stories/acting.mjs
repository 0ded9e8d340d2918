// Impersonation is set up on the page of the application with the code that it shows, tested, and used for a user with
// a reason and a ticket, which is a claim of the token.

import assert from "node:assert/strict";
import { PLAN } from "../../snippets/fixture.mjs";
import { Program } from "../../snippets/programs.mjs";
import { said } from "../operator.mjs";
import { freePort } from "../server.mjs";

const TICKET = "TICKET-4";
/** How often the audit log is asked for the test: it has the refusal a moment later. */
const ATTEMPTS = 100;

/** What the reader of the code has anyway: an application, which shows the claims. */
const APPLICATION = `
import express from "express";
import { impersonation } from "./impersonate.mjs";

const app = express();
app.use(impersonation((request, response, token) => {
  response.json(JSON.parse(Buffer.from(token.access_token.split(".")[1], "base64url")));
}));
app.get("/", (request, response) => response.send("ready"));
app.listen(Number(process.env.PORT), "127.0.0.1");
`;

/** Presses "Test it" on the page of the application; answers what came of it. */
const test = async (window, id) => {
  const { tab } = window;
  await window.open(`/console/applications/${id}/impersonation`);
  const opened = tab.context().waitForEvent("page");
  await tab.locator("form[target=_blank] button").click();
  const other = await opened;
  await other.getByText("this subject token is a test from the console").waitFor();
  await other.close();
  const badge = tab.locator("#outcome .badge");
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await tab.getByRole("link", { name: "Show what came back" }).click();
    await tab.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await badge.waitFor();
    if ((await badge.innerText()) !== "Nothing arrived") break;
  }
  return badge.innerText();
};

export const impersonate = async (world) => {
  const { window, orders, web, userId } = world;
  const { tab } = window;
  const port = await freePort();
  await window.section("/applications");
  await window.leaves(tab.locator("#list").getByRole("link", { name: web.name, exact: true }));
  await window.leaves(tab.getByRole("navigation", { name: "Pages of" }).getByRole("link", { name: "Impersonation" }));
  await tab.locator("input[name=impersonationUri]").fill(`http://localhost:${port}/impersonate`);
  await window.submit(`/applications/${web.id}/impersonation`);
  assert.match(await said(tab), /Saved/);
  await tab.locator("select[name=resource]").selectOption(orders.indicator);
  await window.leaves(tab.locator("form[method=get] button"));
  const code = await tab.locator("pre.source code").first().innerText();
  const install = await tab.locator("section[aria-labelledby=code] pre.copyable:not(.source) code").first().innerText();
  const secret = /CLIENT_SECRET='?([^'\n]+)/.exec(web.files[".env"])[1];
  const desk = new Program("desk", {
    files: { "impersonate.mjs": code, "server.mjs": APPLICATION },
    install: `npm init --yes && ${install}`,
    run: `CLIENT_SECRET='${secret}' PORT=${port} node server.mjs`,
  });
  world.programs.push(desk);
  await desk.install();
  await desk.start(`http://localhost:${port}/`);
  assert.equal(await test(window, web.id), "It works");

  await window.open(`/console/users/${userId}`);
  await window.leaves(tab.getByRole("link", { name: "Impersonate", exact: true }));
  await tab.locator("input[name=reason]").fill("The invoice does not load");
  await tab.locator("input[name=ticket]").fill(TICKET);
  await tab.locator("select[name=application]").selectOption(web.id);
  const urls = [];
  tab.on("request", (request) => urls.push(request.url()));
  await tab.locator("form#impersonate button[type=submit]").click();
  await tab.waitForURL((url) => url.href.startsWith(`http://localhost:${port}/impersonate/callback`));
  const claims = JSON.parse(await tab.locator("pre").innerText());
  assert.equal(claims.sub, userId);
  assert.ok(claims.act.sub && claims.act.sub !== userId, JSON.stringify(claims));
  assert.equal(claims.ticket_id, TICKET);
  assert.equal(claims.plan, PLAN);
  assert.equal(claims.aud, orders.indicator);
  assert.ok(urls.every((url) => !url.includes("sub_")), "the token is in no URL");
  await window.open("/console");
  await window.section("/impersonations");
  await tab.locator("#list").getByText(TICKET).first().waitFor();
};
