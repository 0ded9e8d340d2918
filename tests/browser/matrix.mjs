// The tour through all pages in every language, width and colour scheme, with and without JavaScript, on each database;
// with BROWSER_PICTURES in one language and with JavaScript alone, and a picture of every page.

import { test } from "node:test";
import { DATABASES } from "./server.mjs";
import { furnished, tour } from "./tour.mjs";
import { launch } from "./world.mjs";

const { BROWSER_PICTURES: pictures, BROWSER_WORD: word = "" } = process.env;
const LANGUAGES = pictures ? [word || "en"] : ["en", "de", "fr", "es", "ja", "zh"];
const WIDTHS = pictures ? [360, 1280] : [320, 360, 1280];

/** The windows of one language, by their names. */
const windowsOf = (database, javaScript, language) => {
  const script = javaScript ? "JavaScript" : "no JavaScript";
  const all = WIDTHS.flatMap((width) =>
    ["light", "dark"].map((scheme) => [
      `${database}, ${script}, ${language}, ${width} px, ${scheme}`,
      { language, width, scheme, javaScript, pictures },
    ]),
  );
  return all.filter(([name]) => pictures || name.includes(word));
};

/** Every server that there is to be, with the windows that are opened at it. */
const servers = (pictures ? ["SQLite"] : DATABASES).flatMap((database) =>
  (pictures ? [true] : [true, false]).flatMap((javaScript) =>
    // One for each language: a hundred wrong passwords would lock the address of all.
    LANGUAGES.map((language) => ({ database, windows: windowsOf(database, javaScript, language) })),
  ),
);

// Two at a time: while one waits for the browser, the other waits for the server.
test("every page", { concurrency: 2 }, async (all) => {
  const chromium = await launch();
  let heaviest = 0;
  for (const { database, windows } of servers.filter((server) => server.windows.length > 0)) {
    const world = await furnished(chromium, { database });
    const told = windows.map(([name, window]) =>
      all.test(name, { timeout: 120_000 }, async () => {
        const visit = await world.visit(window);
        await visit.tell(() => tour(visit, world)).finally(() => visit.end());
        heaviest = Math.max(heaviest, visit.bytes);
      }),
    );
    await Promise.all(told);
    await world.stop();
  }
  all.diagnostic(`the heaviest page with its style sheets took ${heaviest} bytes`);
  await chromium.close();
});
