// The sign-in experience and connectors at the console: a colour in the preview before it is saved, and a connector that
// is refused until it can work.

import assert from "node:assert/strict";
import { signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator sees a colour in the preview, and saves nothing by it", { scripted: true }, async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/sign-in-experience/branding");
  await visit.seeScreen("Sign-in experience");
  const colour = tab.getByLabel("Colour", { exact: true });
  const before = await colour.inputValue();
  await colour.fill("#b00020");
  await visit.until(() => {
    const frame = document.querySelector("iframe[name=preview]").contentDocument;
    const shown = frame?.querySelector(".button");
    return shown && getComputedStyle(shown).backgroundColor === "rgb(176, 0, 32)";
  });
  await visit.open("/console/sign-in-experience/branding");
  assert.equal(await tab.getByLabel("Colour", { exact: true }).inputValue(), before);
});

story("an administrator makes a connector, and a bad one is refused", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/connectors");
  await visit.seeScreen("Connectors");
  await tab.getByRole("link", { name: "HTTP SMS" }).click();
  await tab.getByLabel("Endpoint").fill("no address");
  await tab.getByRole("button", { name: "Create connector" }).click();
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Endpoint").inputValue(), "no address");
  await tab.getByLabel("Endpoint").fill("https://messages.example.com/send");
  await tab.getByLabel("Authorization header").fill("Bearer hidden");
  await tab.getByRole("button", { name: "Create connector" }).click();
  await tab.getByRole("heading", { name: "HTTP SMS", level: 1 }).waitFor();
  assert.ok(!(await tab.content()).includes("Bearer hidden"));
  await tab.getByRole("link", { name: "Delete this connector" }).click();
  await tab.locator("input[name=name]").fill("http-sms");
  await tab.getByRole("button", { name: /Delete/ }).click();
  await tab.getByRole("heading", { name: "Connectors", level: 1 }).waitFor();
});
