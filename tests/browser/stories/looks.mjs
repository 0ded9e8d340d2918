// How pages look to whom: without JavaScript, dark, narrow, enlarged, in another language, from right to left.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { furnished, tour } from "../tour.mjs";
import { story } from "../world.mjs";

for (const window of [
  { language: "de", width: 320, scheme: "dark", javaScript: false },
  { language: "ja", width: 360, scheme: "light", javaScript: true },
]) {
  const { language, width, scheme, javaScript } = window;
  const script = javaScript ? "with" : "without";
  const name = `every page, ${language}, ${width} px, ${scheme}, ${script} JavaScript`;
  story(name, async (_, { chromium }) => {
    const world = await furnished(chromium);
    try {
      await tour(await world.visit(window), world);
    } finally {
      await world.stop();
    }
  });
}

story("pages speak the language of the browser, or the one that is asked for", async (_, world) => {
  const { server, application } = world;
  const client = await application.register(server);
  for (const language of ["en", "de", "fr", "es", "ja", "zh"]) {
    const phrases = await fetch(`${server.listens}/api/.well-known/phrases?lng=${language}`);
    const { translation: texts } = await phrases.json();
    const request = application.request(server, client);
    for (const [locale, url] of [[language, request.url], ["en-GB", `${request.url}&ui_locales=${language}`]]) {
      const visit = await world.visit({ language: locale, width: 320 });
      await visit.open(url);
      const { title } = await visit.see("sign-in", { language });
      const expected = texts.sign_in.title_for_application.replace("{{application}}", "Northwind Shop");
      assert.equal(title, expected);
      assert.equal(await visit.tab.locator("h1").innerText(), expected);
      assert.ok(await visit.tab.getByLabel(texts.fields.password, { exact: true }).isVisible());
      await visit.end();
    }
  }
});

story("pages are ready for languages that are written from right to left", async (_, world) => {
  const { server, application } = world;
  const client = await application.register(server);
  const words = { title_for_application: "تسجيل الدخول إلى {{application}}", submit: "تسجيل الدخول" };
  await server.call("PUT", "/custom-phrases/ar", { sign_in: words });
  for (const width of [320, 1280]) {
    const visit = await world.visit({ language: "ar-EG", width });
    await visit.open(application.request(server, client).url);
    const { direction } = await visit.see("sign-in");
    assert.equal(direction, "rtl");
    const middle = async (selector) => {
      const { x, width: wide } = await visit.tab.locator(selector).boundingBox();
      return x + wide / 2;
    };
    assert.ok(await middle(".reveal") < await middle("#password"), "the button stands at the end of the field");
    assert.ok(await middle(".mark") > await middle("#password"), "the logo stands at the beginning");
  }
  await server.call("DELETE", "/custom-phrases/ar");
});

story("pages are dark where the operator and the reader want them to be", async (_, world) => {
  const { server } = world;
  const shade = async (scheme) => {
    const visit = await world.visit({ scheme });
    await visit.open("/signed-out");
    await visit.see("signed-out");
    const colour = await visit.tab.evaluate(() => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d");
      canvas.fillStyle = getComputedStyle(document.querySelector(".card")).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data[0];
    });
    return colour > 127 ? "light" : "dark";
  };
  assert.deepEqual([await shade("light"), await shade("dark")], ["light", "light"], "by default they stay light");
  await server.settings({ color: { primaryColor: "#4f46e5", isDarkModeEnabled: true, darkPrimaryColor: "#818cf8" } });
  assert.deepEqual([await shade("light"), await shade("dark")], ["light", "dark"]);
  await server.settings({ color: { primaryColor: "#4f46e5", isDarkModeEnabled: false, darkPrimaryColor: "#818cf8" } });
});

story("pages with the longest words are not wider than a window of 320 px, and may be enlarged", async (_, world) => {
  const { server, application } = world;
  const long = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenverordnung".repeat(2);
  await server.user({ username: long, name: long, password: PASSWORD });
  const client = await application.register(server, { name: long, isThirdParty: true });
  for (const look of [
    { width: 320 },
    // What is left of 1280 px at 200 % and at 400 %.
    { width: 640, height: 400, context: { deviceScaleFactor: 2 } },
    { width: 320, height: 200, context: { deviceScaleFactor: 4 } },
    // Only the text is twice as large.
    { width: 640, text: 2 },
    { width: 1280, text: 2 },
  ]) {
    const visit = await world.visit(look);
    const size = 16 * (look.text ?? 1);
    await visit.devtools.send("Page.enable");
    await visit.devtools.send("Page.setFontSizes", { fontSizes: { standard: size } });
    const request = application.request(server, client, { prompt: "consent" });
    await visit.open(request.url);
    await visit.see("sign-in");
    const text = await visit.tab.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    assert.equal(text, `${size}px`);
    await visit.send({ identifier: long, password: "wrong" });
    await visit.tab.getByRole("alert").waitFor();
    await visit.see("sign-in");
    await visit.send({ identifier: long, password: PASSWORD });
    await visit.see("consent");
    await visit.send({}, "button[value=allow]");
    await application.told(visit.tab, request);
    await visit.open(application.request(server, client, { prompt: "select_account" }).url);
    await visit.see("choose-account");
    await visit.open("/oidc/session/end");
    await visit.see("sign-out");
    await visit.open("/");
    await visit.see("welcome");
  }
});

story("pages keep their borders and signs where the system chooses the colours", async (_, world) => {
  const { server, application } = world;
  const client = await application.register(server);
  const visit = await world.visit({ context: { forcedColors: "active" } });
  await visit.open(application.request(server, client).url);
  await visit.see("sign-in");
  for (const selector of ["#identifier", "button[type=submit]"]) {
    await visit.tab.focus(selector);
    const { border, outline } = await visit.tab.locator(selector).evaluate((element) => {
      const { borderTopWidth, outlineStyle } = getComputedStyle(element);
      return { border: parseFloat(borderTopWidth), outline: outlineStyle };
    });
    assert.ok(border >= 1 && outline !== "none", selector);
  }
});
