// Every screen of the console that a link leads to, as each role, at each width and in each colour scheme, with and
// without JavaScript: it is all that a screen has to be, and none answers with a failure of the server. On PostgreSQL,
// where screens look as on SQLite, as each role in one window. With BROWSER_PICTURES a picture of each, as an
// administrator.

import assert from "node:assert/strict";
import { test } from "node:test";
import { operator, ROLES, signInAtConsole } from "./operator.mjs";
import { DATABASES } from "./server.mjs";
import { launch, World } from "./world.mjs";

const { BROWSER_PICTURES: pictures, BROWSER_WORD: word = "" } = process.env;
const WIDTHS = [360, 1440];
// More would be the same screens with other data.
const MAX_SCREENS = 300;
// Files and streams are no screens; the way out would end the walk.
const NO_SCREEN = /\/(export|live|step-up|sign-out|template\.csv)\b/;

/** Something of each kind, so that no list is empty, and somebody with each role. */
const furnish = async (server) => {
  for (const role of Object.keys(ROLES)) await operator(server, `the_${role}`, role);
  const config = { url: `${server.origin}/nowhere` };
  await server.call("POST", "/hooks", { name: "furnished", events: ["Role.Created"], config });
  await server.call("POST", "/hook-receivers", {});
  const { id } = await server.call("POST", "/organizations", { name: "Furnished" });
  await server.call("POST", `/organizations/${id}/users`, { userIds: [server.demo.customerUserId] });
  await server.call("POST", "/organization-roles", { name: "editor" });
  await server.call("POST", "/roles", { name: "reader", description: "Reads." });
  const details = { subject: "Your code", content: "{{code}}" };
  const templates = [{ languageTag: "en", templateType: "SignIn", details }];
  await server.call("PUT", "/email-templates", { templates });
  await server.call("POST", "/sso-connectors", { providerName: "Okta", connectorName: "Furnished" });
  await server.call("POST", "/custom-profile-fields", { name: "furnished", type: "Text", required: false });
  await server.call("PUT", "/custom-phrases/de", { sign_in: { title: "Moin!" } });
  const form = new FormData();
  form.set("source", new Blob(["export const getCustomJwtClaims = () => ({ furnished: true });\n"]), "furnished.js");
  await server.send("PUT", "/plugins/furnished", form);
};

/** A link without what tells apart two of the same kind. */
const kindOf = (path) =>
  path.replace(/[?#].*/, "").replaceAll(/\/(?=[a-z0-9]*\d)[a-z0-9]{12,}/g, "/{id}");

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
