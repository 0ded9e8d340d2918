// Impersonation is set up at the console and used: the code of the Express snippet runs as the console renders it, first
// in a test, then for a user.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { press, said, signInAtConsole } from "../operator.mjs";
import { freePort } from "../server.mjs";
import { story } from "../world.mjs";

/** An application around the snippet: what its reader has anyway. */
const APPLICATION = `
import express from "express";
import { impersonation } from "./impersonate.mjs";

const app = express();
app.use(impersonation((request, response, token) => {
  const claims = JSON.parse(Buffer.from(token.access_token.split(".")[1], "base64url"));
  response.type("text").send(\`acts for \${claims.sub} as \${claims.act.sub}\`);
}));
app.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listens"));
`;

/** Runs the snippet; answers how to end it. */
const run = async (code, port) => {
  const folder = mkdtempSync(join(process.env.BROWSER_SCRATCH, "desk-"));
  writeFileSync(join(folder, "impersonate.mjs"), code);
  writeFileSync(join(folder, "server.mjs"), APPLICATION);
  const environment = { PATH: process.env.PATH, PORT: String(port) };
  const started = spawn(process.execPath, ["server.mjs"], { cwd: folder, env: environment, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    started.stdout.once("data", resolve);
    started.once("exit", (status) => reject(new Error(`the application ended with ${status}`)));
  });
  return () => started.kill();
};

story("impersonation is set up with the code of the console, tested and used", { own: {}, scripted: true }, async (visit) => {
  const { server, tab } = visit;
  const { id } = await server.call("POST", "/applications", { name: "Desk", type: "SPA" });
  const demo = `/applications/${server.demo.spaClientId}`;
  await server.call("PATCH", demo, { customClientMetadata: { impersonationUri: null } });
  const own = await signInAtConsole(visit);

  // The empty state leads to the page of the application.
  const begin = `/console/users/${server.demo.customerUserId}/impersonate`;
  await visit.open(begin);
  await tab.getByRole("heading", { name: "No app is set up for impersonation" }).waitFor();
  await tab.getByRole("link", { name: "Set up Desk" }).click();
  await visit.seeScreen("Desk");
  const field = tab.getByLabel("Impersonation URI");
  await tab.locator("form[data-guard]").evaluate((form) => { form.noValidate = true; });
  await field.fill("http://desk.example.com/impersonate");
  await press(visit, "Save");
  assert.match(await tab.locator("#impersonationUri-problem").innerText(), /https/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  const port = await freePort();
  await field.fill(`http://localhost:${port}/impersonate`);
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);

  /** Presses "Test it"; answers what the page then says of it. */
  const test = async () => {
    await visit.open(`/console/applications/${id}/impersonation`);
    const opened = tab.context().waitForEvent("page");
    await tab.getByRole("button", { name: "Test it" }).click();
    const other = await opened;
    await other.getByText("this subject token is a test from the console").waitFor();
    const shown = tab.locator("#outcome .badge");
    // The audit log has the refusal a moment later.
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await tab.getByRole("link", { name: "Show what came back" }).click();
      await tab.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      await shown.waitFor();
      if ((await shown.innerText()) !== "Nothing arrived") break;
    }
    await other.close();
    return shown.innerText();
  };
  const code = await tab.locator("pre.source code").first().innerText();
  const end = await run(code, port);
  try {
    assert.equal(await test(), "It works");

    // And for a user: the operator's browser carries the token, and no URL has it.
    await visit.open(begin);
    await tab.getByLabel("Reason", { exact: true }).fill("The invoice does not load");
    await tab.getByLabel("Ticket", { exact: true }).fill("TICKET-4");
    const urls = [];
    tab.on("request", (request) => urls.push(request.url()));
    await tab.getByRole("button", { name: "Impersonate" }).click();
    await tab.getByText(`acts for ${server.demo.customerUserId} as ${own}`).waitFor();
    assert.ok(urls.every((url) => !url.includes("sub_")), "the token is in no URL");
    const [live] = await server.call("GET", `/impersonations?userId=${server.demo.customerUserId}`);
    assert.deepEqual([live.actorId, live.isActive, live.context.ticketId], [own, true, "TICKET-4"]);

    // The same form from another site is refused by the code.
    const foreign = await fetch(`http://localhost:${port}/impersonate`, {
      method: "POST",
      headers: { origin: "https://evil.example" },
      body: new URLSearchParams({ subject_token: "sub_x" }),
    });
    assert.equal(foreign.status, 403);
  } finally {
    end();
  }
});
