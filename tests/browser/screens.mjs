// Every screen of the console that a link leads to, as each role, at each width and in each colour scheme, with and
// without JavaScript: it is all that a screen has to be, and none answers with a failure of the server. On PostgreSQL,
// where screens look as on SQLite, as each role in one window. With BROWSER_PICTURES a picture of each, as an
// administrator.

import assert from "node:assert/strict";
import { test } from "node:test";
import { furnish, kindOf, NO_SCREEN } from "./furnish.mjs";
import { ROLES, signInAtConsole } from "./operator.mjs";
import { DATABASES } from "./server.mjs";
import { launch, World } from "./world.mjs";

const { BROWSER_PICTURES: pictures, BROWSER_WORD: word = "" } = process.env;
const WIDTHS = [360, 1440];
// More would be the same screens with other data.
const MAX_SCREENS = 300;
/** Walks through all screens that links lead to, and answers how many there were. */
const walk = async (visit) => {
  const [seen, waiting, wrong] = [new Set(["/console"]), ["/console"], []];
  let count = 0;
  for (const path of waiting) {
    if (count++ >= MAX_SCREENS) break;
    const answer = await visit.open(path);
    assert.ok(answer.status() < 500, `${path}: ${answer.status()}`);
    const heading = await visit.tab.locator("h1").first().innerText();
    // All that is wrong is told at once.
    await visit.seeScreen(heading).catch(({ message }) => wrong.push(message));
    const links = visit.tab.locator("main a[href^='/console'], nav a[href^='/console']");
    for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))) {
      const kind = kindOf(href);
      if (seen.has(kind) || NO_SCREEN.test(href)) continue;
      seen.add(kind);
      waiting.push(href.replace(/#.*/, ""));
    }
  }
  assert.deepEqual(wrong, []);
  return count;
};

const cells = (pictures ? ["administrator"] : Object.keys(ROLES)).flatMap((role) =>
  WIDTHS.flatMap((width) =>
    ["light", "dark"].flatMap((scheme) =>
      (pictures ? [true] : [true, false]).map((javaScript) => ({ role, width, scheme, javaScript, pictures })),
    ),
  ),
);
/** The windows that are opened at a database. */
const windowsOf = (database) =>
  cells.filter(
    ({ width, scheme, javaScript }) =>
      database === "SQLite" || (width === 1440 && scheme === "light" && javaScript),
  );
const nameOf = ({ role, width, scheme, javaScript }) =>
  `${role}, ${width} px, ${scheme}, ${javaScript ? "JavaScript" : "no JavaScript"}`;

// Two at a time: while one waits for the browser, the other waits for the server.
test("every screen", { concurrency: 2 }, async (all) => {
  const chromium = await launch();
  for (const database of pictures ? ["SQLite"] : DATABASES) {
    const world = await World.make(chromium, { database });
    await furnish(world.server);
    const wanted = windowsOf(database).filter((cell) => `${database}, ${nameOf(cell)}`.includes(word));
    const told = wanted.map((cell) =>
      all.test(`${database}, ${nameOf(cell)}`, { timeout: 300_000 }, async (one) => {
        const visit = await world.visit(cell);
        await visit.tell(async () => {
          await signInAtConsole(visit, cell.role);
          one.diagnostic(`${await walk(visit)} screens`);
        }).finally(() => visit.end());
      }),
    );
    await Promise.all(told);
    await world.stop();
  }
  await chromium.close();
});
