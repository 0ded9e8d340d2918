// What every story relies on: the checks of a page find what they look for.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

story("the checks of a page find what is wrong with it", async (visit, { server }) => {
  for (const [customCss, found] of [
    [".title { color: #ccc }", /color-contrast/],
    [".card { min-inline-size: 90rem }", /too wide/],
    [".page { background: url(https://elsewhere.example/picture.png) }", /elsewhere\.example/],
    [`.title::after { content: "${"x".repeat(40_000).replace(/x/g, () => Math.random().toString(36)[2])}" }`, /bytes/],
  ]) {
    await server.settings({ customCss });
    await visit.open("/signed-out");
    await assert.rejects(visit.see("signed-out"), found);
    visit.complaints();
  }
  await server.settings({ customCss: null });
  await visit.open("/signed-out");
  await assert.rejects(visit.see("signed-out", { language: "de" }), /signed-out/);
  await visit.see("signed-out");
});
