// Runs the programs that are named, or all, some at a time, against one server.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { Server } from "../browser/server.mjs";
import { Fixture } from "./fixture.mjs";
import { endAll, Program } from "./programs.mjs";
import { commandLine, machine, protectedApi, web } from "./stories.mjs";
import { Wizard } from "./wizard.mjs";

/** How many programs are installed and run at once. They wait for the network and for pages most of the time. */
const AT_ONCE = 4;

/** What the device flow asks before and after the sign-in: whether the code is right, and whether to allow it. */
const device = {
  before: (tab) => tab.locator("button[type=submit].button").first().click(),
  after: (tab) => tab.locator("button[value=allow]").click(),
};

/** What is run, by the id that the console uses. */
const FRAMEWORKS = {
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
  curl: machine,
  node: machine,
  python: machine,
};
const LANGUAGES = ["node", "python", "go", "java", "rust"];

/** Everything that there is to run. */
const STORIES = {
  ...Object.fromEntries(LANGUAGES.map((language) => [`api-${language}`, (_, world) => protectedApi(language, world)])),
  ...FRAMEWORKS,
};
const names = Object.keys(STORIES);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(2);
}

let server, browser;
const stop = async () => {
  endAll();
  await browser?.close();
  await server?.stop();
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop().finally(() => process.exit(1)));

/** Seconds since a time. */
const since = (start) => Math.round((Date.now() - start) / 1000);

/** The protected APIs that run, by language: each is started once, when it is first asked for. */
const apis = ({ fixture, wizard }) => {
  const started = {};
  const start = async (language) => {
    const { id, indicator } = fixture.apis[language];
    const program = new Program(`api-${language}`, await wizard.protectedApi(id, language));
    await program.install();
    await program.start(indicator);
    return program;
  };
  return (language) => (started[language] ??= start(language));
};

let failed = 0;
try {
  const start = Date.now();
  [server, browser] = await Promise.all([
    Server.start("SQLite"),
    chromium.launch({ executablePath: process.env.CHROMIUM }),
  ]);
  const fixture = await Fixture.make(server, LANGUAGES);
  const wizard = await Wizard.open(browser, server);
  // What the console offers is what is run here, and nothing else.
  assert.deepEqual((await wizard.frameworks()).sort(), Object.keys(FRAMEWORKS).sort());
  assert.deepEqual((await wizard.languages(fixture.apis.node.id)).sort(), [...LANGUAGES].sort());
  const world = { browser, fixture, wizard, api: apis({ fixture, wizard }) };
  if (wanted.some((name) => name.startsWith("api-"))) world.tokens = await fixture.tokens(browser);
  if (wanted.some((name) => name in FRAMEWORKS)) {
    // The programs call it. Each of them fails without it, so that is not reported here.
    world.api("node").catch(() => {});
  }
  console.log(`the server and its fixture: ready in ${since(start)} s`);
  const run = async (name) => {
    const start = Date.now();
    try {
      await STORIES[name](name, world);
      console.log(`${name}: passed in ${since(start)} s`);
    } catch (error) {
      failed += 1;
      // The message has what the program printed, which the stack was made without.
      console.error(`${name}: FAILED: ${error.stack}\n${error.message}`);
    }
  };
  const waiting = [...wanted];
  const work = async () => {
    while (waiting.length > 0) await run(waiting.shift());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
} finally {
  await stop();
}
for (const name of names.filter((name) => !wanted.includes(name))) console.log(`LEFT OUT: ${name}`);
process.exit(failed > 0 ? 1 : 0);
