// The tour through all pages in every language, width and colour scheme, with and without JavaScript, on each database;
// with BROWSER_PICTURES in one language and with JavaScript alone, and a picture of every page.

import { test } from "node:test";
import { DATABASES } from "./server.mjs";
import { furnished, tour } from "./tour.mjs";
import { launch } from "./world.mjs";

const { BROWSER_PICTURES: pictures, BROWSER_WORD: word = "" } = process.env;
const LANGUAGES = pictures ? [word || "en"] : ["en", "de", "fr", "es", "ja", "zh"];
const WIDTHS = pictures ? [360, 1280] : [320, 360, 1280];
const SCHEMES = ["light", "dark"];

/** Every combination on a server of this kind, by its name. */
const windows = (database, javaScript) => {
  const script = javaScript ? "JavaScript" : "no JavaScript";
  const all = LANGUAGES.flatMap((language) =>
    WIDTHS.flatMap((width) =>
      SCHEMES.map((scheme) => [
        `${database}, ${script}, ${language}, ${width} px, ${scheme}`,
        { language, width, scheme, javaScript, pictures },
      ]),
    ),
  );
  return all.filter(([name]) => pictures || name.includes(word));
};

// Two at a time: while one waits for the browser, the other waits for the server.
test("every page", { concurrency: 2 }, async (all) => {
  const chromium = await launch();
  let heaviest = 0;
  for (const database of pictures ? ["SQLite"] : DATABASES) {
    for (const javaScript of pictures ? [true] : [true, false]) {
      // A server of its own: a hundred wrong passwords would lock the address of all.
      const wanted = windows(database, javaScript);
      if (wanted.length === 0) continue;
      const world = await furnished(chromium, { database });
      const told = wanted.map(([name, window]) =>
        all.test(name, { timeout: 120_000 }, async () => {
          const visit = await world.visit(window);
          await tour(visit, world).finally(() => visit.end());
          heaviest = Math.max(heaviest, visit.bytes);
        }),
      );
      await Promise.all(told);
      await world.stop();
    }
  }
  all.diagnostic(`the heaviest page with its style sheets took ${heaviest} bytes`);
  await chromium.close();
});
