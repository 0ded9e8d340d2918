// Every story, each in a file with those of the same subject: one after the other, on one server.

import { readdirSync } from "node:fs";
import { test } from "node:test";
import { launch, stories, World } from "./world.mjs";

const word = process.env.BROWSER_WORD ?? "";
const { BROWSER_STORIES } = process.env;
// Every story in a browser that runs no scripts, but for those of what needs them.
const isPlain = process.env.BROWSER_JAVASCRIPT === "off";
const folder = new URL(`${BROWSER_STORIES}/`, import.meta.url);
for (const file of readdirSync(folder).sort()) await import(new URL(file, folder));

/** Tells a story in a world, and leaves the world as it was. */
const tellIn = async (world, { options, tell }) => {
  try {
    const visit = await world.visit(isPlain ? { ...options, javaScript: false } : options);
    await visit.tell(() => tell(visit, world));
    visit.isQuiet();
  } finally {
    await world.leave();
  }
};

test("pages in a browser", async (all) => {
  const chromium = await launch();
  const shared = await World.make(chromium);
  const wanted = stories().filter(({ name }) => name.includes(word)).filter(({ options }) => !isPlain || !options.scripted);
  for (const story of wanted) {
    await all.test(story.name, { timeout: 120_000 }, async () => {
      if (!story.options.own) return tellIn(shared, story);
      const world = await World.make(chromium, story.options.own);
      return tellIn(world, story).finally(() => world.stop());
    });
  }
  await shared.stop();
  await chromium.close();
});
