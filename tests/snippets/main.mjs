// Runs the programs that are named, or all, one after the other, against one server.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { Server } from "../browser/server.mjs";
import { Fixture } from "./fixture.mjs";
import { endAll, Program } from "./programs.mjs";
import { commandLine, machine, protectedApi, web } from "./stories.mjs";
import { Wizard } from "./wizard.mjs";

/** What the device flow asks before and after the sign-in: whether the code is right, and whether to allow it. */
const device = {
  before: (tab) => tab.locator("button[type=submit].button").first().click(),
  after: (tab) => tab.locator("button[value=allow]").click(),
};

/** What is run, by the id that the console uses. */
const FRAMEWORKS = {
  curl: machine,
  node: machine,
  python: machine,
  express: web,
  flask: web,
  fastapi: web,
  django: web,
  react: web,
  vue: web,
  svelte: web,
  angular: web,
  next: web,
  nuxt: web,
  go: web,
  spring: web,
  rust: web,
  "python-cli": commandLine,
  device: (name, world) => commandLine(name, world, device),
};
const LANGUAGES = ["node", "python", "go", "java", "rust"];

const names = [...Object.keys(FRAMEWORKS), ...LANGUAGES.map((language) => `api-${language}`)];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(2);
}

let server, browser, api;
const stop = async () => {
  endAll();
  await browser?.close();
  await server?.stop();
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop().finally(() => process.exit(1)));

let failed = 0;
try {
  server = await Server.start("SQLite");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
  const fixture = await Fixture.make(server);
  const tokens = await fixture.tokens(browser);
  const wizard = await Wizard.open(browser, server);
  // What the console offers is what is run here, and nothing else.
  assert.deepEqual((await wizard.frameworks()).sort(), Object.keys(FRAMEWORKS).sort());
  assert.deepEqual((await wizard.languages(fixture.resourceId)).sort(), [...LANGUAGES].sort());
  const world = { browser, fixture, tokens, wizard };
  const run = async (name, story) => {
    const start = Date.now();
    try {
      await story();
      console.log(`${name}: passed in ${Math.round((Date.now() - start) / 1000)} s`);
    } catch (error) {
      failed += 1;
      // The message has what the program printed, which the stack was made without.
      console.error(`${name}: FAILED: ${error.stack}\n${error.message}`);
    }
  };
  for (const language of LANGUAGES.filter((language) => wanted.includes(`api-${language}`))) {
    await run(`api-${language}`, () => protectedApi(language, world));
  }
  // The API that the programs call.
  const called = wanted.filter((name) => name in FRAMEWORKS);
  if (called.length > 0) {
    api = new Program("api", await wizard.protectedApi(fixture.resourceId, "node"));
    await api.install();
    await api.start(fixture.resource);
  }
  for (const name of called) await run(name, () => FRAMEWORKS[name](name, world));
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
} finally {
  await stop();
}
for (const name of names.filter((name) => !wanted.includes(name))) console.log(`LEFT OUT: ${name}`);
process.exit(failed > 0 ? 1 : 0);
