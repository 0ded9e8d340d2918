// The first hour of somebody who unpacks a release, three times: with demo data, without it below a path of a host, and
// in a narrow window. Every part prints a line; the first one that fails ends it, with a picture of the window.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { endAll } from "../../snippets/programs.mjs";
import { machine, web } from "../../snippets/stories.mjs";
import { Wizard } from "../../snippets/wizard.mjs";
import { impersonate } from "./acting.mjs";
import { createApi, protectApi } from "./api.mjs";
import { setUp, signOutAndIn } from "./beginning.mjs";
import { connectGoogle } from "./google.mjs";
import { Installed } from "./installed.mjs";
import { breakPlugin, writePlugin } from "./plugin.mjs";
import { changeSettings } from "./settings.mjs";
import { Window } from "./window.mjs";

const RUNS = [
  { name: "demo data, 1280 px", demo: true, width: 1280 },
  { name: "no demo data, below a path, 1280 px", demo: false, width: 1280, path: "/auth" },
  { name: "no demo data, 390 px", demo: false, width: 390 },
];

/** The snippets that .ci/run runs. */
const program = (name, story) => [`an application with the code for ${name}`, (world) => story(name, world)];
const PARTS = [
  ["set-up by email", setUp],
  ["sign-out and sign-in", signOutAndIn],
  ["a plugin in the workbench", writePlugin],
  ["an API resource, roles and a user", createApi],
  ["the protected API", protectApi],
  program("curl", machine),
  program("node", machine),
  program("python", machine),
  program("express", web),
  ["Google up to its page", connectGoogle],
  ["impersonation", impersonate],
  ["a broken plugin, seen and rolled back", breakPlugin],
  ["eight changes of the sign-in settings", changeSettings],
];

const word = process.argv[2] ?? "";
const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;
let browser, server;
const stop = async () => {
  endAll();
  await browser?.close();
  await server?.stop();
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop().finally(() => process.exit(1)));

/** What the stories share: the window of the administrator, who creates everything with it. */
const makeWorld = async (run) => {
  const window = await Window.open(browser, server, run.width);
  const wizard = Wizard.of(window.tab, server.origin);
  const world = { server, window, programs: [] };
  world.browser = { newContext: () => window.newContext() };
  world.wizard = {
    protectedApi: (...what) => wizard.protectedApi(...what),
    async create(framework, name, more) {
      const shown = { ...(await wizard.create(framework, name, more)), name };
      await window.fits();
      if (shown.redirectUri) world.web = shown;
      return shown;
    },
  };
  // It runs since it was protected.
  world.api = async () => {};
  world.fixture = {
    apis: {},
    /** Gives an application of a machine the role, on its page. */
    async grant(id) {
      await window.open(`/console/applications/${id}/access`);
      await window.tab.locator("select[name=roleId]").selectOption({ label: world.machineRole });
      await window.submit(`/applications/${id}/access`);
    },
  };
  return world;
};

/** Tells every part; answers whether all went well. */
const tell = async (run) => {
  let start = Date.now();
  server = await Installed.start(run);
  console.log(`${run.name}: the server started at ${server.origin} in ${seconds(start)}`);
  const world = await makeWorld(run);
  for (const [name, part] of PARTS) {
    start = Date.now();
    try {
      await part(world);
    } catch (error) {
      const picture = join(mkdtempSync(join(tmpdir(), "first-hour-")), "window.png");
      await world.window.tab.screenshot({ path: picture, fullPage: true }).catch(() => {});
      console.error(`${run.name}: ${name}: FAILED: ${error.stack}\n${error.message}`);
      console.error(`at ${world.window.tab.url()}; picture: ${picture}\n${server.lastLines()}`);
      return false;
    }
    console.log(`${run.name}: ${name}: passed in ${seconds(start)}`);
  }
  for (const one of world.programs) await one.stop();
  await world.window.context.close();
  await server.stop();
  server = undefined;
  return true;
};

let isFine = true;
const wanted = RUNS.filter(({ name }) => name.includes(word));
try {
  const args = ["--host-resolver-rules=MAP accounts.google.com ~NOTFOUND"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
  for (const run of wanted) {
    isFine = await tell(run);
    if (!isFine) break;
  }
} finally {
  await stop();
}
if (isFine) console.log(`${wanted.length} first hours of ${PARTS.length} parts passed`);
process.exit(isFine && wanted.length > 0 ? 0 : 1);
