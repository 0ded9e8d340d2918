// The tour through all pages in every language, width and colour scheme, with and without JavaScript, on each database;
// with BROWSER_PICTURES in English with JavaScript alone, and a picture of every page.

import { test } from "node:test";
import { DATABASES } from "./server.mjs";
import { furnished, tour } from "./tour.mjs";
import { launch } from "./world.mjs";

const pictures = process.env.BROWSER_PICTURES;
const LANGUAGES = pictures ? ["en"] : ["en", "de", "fr", "es", "ja", "zh"];
const WIDTHS = pictures ? [360, 1280] : [320, 360, 1280];
const SCHEMES = ["light", "dark"];

/** Every combination. */
const windows = LANGUAGES.flatMap((language) =>
  WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ language, width, scheme, pictures }))),
);

// Two at a time: while one waits for the browser, the other waits for the server.
test("every page", { concurrency: 2 }, async (all) => {
  const chromium = await launch();
  for (const database of pictures ? ["SQLite"] : DATABASES) {
    for (const javaScript of pictures ? [true] : [true, false]) {
      // A server of its own: a hundred wrong passwords would lock the address of all.
      const world = await furnished(chromium, { database });
      await Promise.all(windows.map((window) => {
        const { language, width, scheme } = window;
        const script = javaScript ? "JavaScript" : "no JavaScript";
        return all.test(`${database}, ${script}, ${language}, ${width} px, ${scheme}`, { timeout: 120_000 }, async () => {
          const visit = await world.visit({ ...window, javaScript });
          await tour(visit, world).finally(() => visit.end());
        });
      }));
      await world.stop();
    }
  }
  await chromium.close();
});
