// A browser window of somebody with a language, a width, a colour scheme, with or without JavaScript. It watches what
// the pages load and what the browser complains of; `see` holds a page against everything that every page has to be.

import assert from "node:assert/strict";
import { join } from "node:path";
import { violations } from "./accessibility.mjs";
import { describe } from "./layout.mjs";

/**
 * The most bytes of a page with its style sheets, as they are sent, and the most files: style sheets of the pages and of
 * the operator's colours, the script for passwords, the icon and the logo.
 */
const OF_PAGES = { folder: "/assets/", bytes: 30 * 1024, files: 5 };
/** Of a screen of the console with its scripts: its own and those of the frame. */
const OF_SCREENS = { folder: "/console/assets/", bytes: 60 * 1024, files: 8 };

/** The button that sends a form. */
export const SUBMIT = "button[type=submit].button";

export class Visit {
  #complaints = [];
  #requests = [];
  #sizes = new Map();
  #count = 0;

  static async begin(world, options = {}) {
    const visit = new Visit();
    const { language = "en", width = 1280, height = 800, scheme = "light", javaScript = true } = options;
    Object.assign(visit, { world, language, width, scheme, javaScript });
    visit.server = world.server;
    visit.pictures = options.pictures;
    visit.context = await world.chromium.newContext({
      locale: language,
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: "reduce",
      ...options.context,
    });
    visit.context.on("page", (tab) => visit.#watch(tab));
    visit.tab = await visit.context.newPage();
    visit.devtools = await visit.context.newCDPSession(visit.tab);
    await visit.#runScripts(javaScript);
    return visit;
  }

  /** axe-core is a script: where the pages run none, they do so only while it looks. */
  #runScripts(areRun) {
    return this.devtools.send("Emulation.setScriptExecutionDisabled", { value: !areRun });
  }

  #watch(tab) {
    tab.on("pageerror", (error) => this.#complaints.push(`${tab.url()}: ${error.message}`));
    tab.on("console", (message) => {
      // The status of a form that is shown again, or of an error page, is no fault.
      const isStatus = message.text().startsWith("Failed to load resource") && message.location().url === tab.url();
      if (message.type() === "error" && !isStatus) this.#complaints.push(`${tab.url()}: ${message.text()}`);
    });
    tab.on("request", (request) => {
      if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) this.#requests = [];
      this.#requests.push(request);
    });
    tab.on("requestfailed", (request) => {
      const reason = request.failure().errorText;
      if (reason !== "net::ERR_ABORTED") this.#complaints.push(`${request.url()}: ${reason}`);
    });
    tab.setDefaultTimeout(10_000);
  }

  /** Goes to an address, or to a path of the server. */
  open(address) {
    return this.tab.goto(new URL(address, this.server.origin).href);
  }

  /** The page with this name is there, and is all that a page has to be. */
  async see(name, { language = this.language, as = name } = {}) {
    await this.tab.locator(`body.page-${name}`).waitFor();
    return this.#hold(as, language, OF_PAGES);
  }

  /** The screen of the console with this heading is there, and is all that a screen has to be. */
  async seeScreen(heading) {
    await this.tab.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    return this.#hold(heading, "en", OF_SCREENS);
  }

  /** Holds the page against everything that a page of its kind has to be. */
  async #hold(as, language, limits) {
    await this.tab.waitForLoadState();
    await this.tab.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    const seen = await this.tab.evaluate(describe);
    const where = `${as} (${this.tab.url()})`;
    assert.deepEqual(seen.wide, [], `${where} is too wide`);
    assert.ok(seen.overflow <= 0, `${where} is ${seen.overflow} px too wide`);
    assert.equal(seen.language.split("-")[0], language.split("-")[0], where);
    assert.ok(seen.title && seen.headings === 1, `${where}: ${JSON.stringify(seen)}`);
    await this.#weigh(where, limits);
    if (!this.javaScript) await this.#runScripts(true);
    const found = await violations(this.devtools);
    if (!this.javaScript) await this.#runScripts(false);
    assert.deepEqual(found, [], where);
    this.isQuiet();
    await this.#takePicture(as);
    return seen;
  }

  /** Waits until something holds in the tab. Its own way of waiting evaluates a text, which screens do not allow. */
  async until(condition) {
    const end = Date.now() + 10_000;
    while (!(await this.tab.evaluate(condition))) {
      assert.ok(Date.now() < end, `it did not come about: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** What the browser complained of since it was last asked. */
  complaints() {
    return this.#complaints.splice(0);
  }

  /** Everything that the page loaded is the server's own, and little. */
  async #weigh(where, limits) {
    const own = (url) => url.startsWith(`${this.server.origin}${limits.folder}`) || url === this.world.logo;
    const [document, ...files] = this.#requests.filter((request) => !request.redirectedTo());
    assert.equal(new URL(document.url()).origin, this.server.origin, where);
    // What scripts ask the screens for is no file of the page.
    // Nor is the challenge that a sign-in page asks for, so that the browser can offer a passkey.
    const isChallenge = (file) => new URL(file.url()).pathname.startsWith("/api/experience/preflight/");
    const asks = (file) =>
      (["eventsource", "fetch"].includes(file.resourceType()) && limits === OF_SCREENS) ||
      (file.resourceType() === "fetch" && isChallenge(file));
    const elsewhere = files.filter((file) => new URL(file.url()).origin !== this.server.origin);
    // Another page that is shown within this one has its own measure.
    const isWithin = (file) => file.frame() !== this.tab.mainFrame();
    const counted = files.filter((file) => !asks(file) && !isWithin(file));
    const urls = new Set([...counted, ...elsewhere].map((file) => file.url()));
    assert.deepEqual([...urls].filter((url) => !own(url)), [], `${where} loads what it must not`);
    assert.ok(urls.size <= limits.files, `${where}: ${[...urls]}`);
    let bytes = 0;
    for (const request of [document, ...counted.filter((file) => ["script", "stylesheet"].includes(file.resourceType()))]) {
      bytes += await this.#size(request);
    }
    assert.ok(bytes > 0 && bytes <= limits.bytes, `${where}: ${bytes} bytes`);
    this.bytes = Math.max(this.bytes ?? 0, bytes);
  }

  /** What a file took to be sent; also where the browser has kept it since. */
  async #size(request) {
    const { responseBodySize } = await request.sizes();
    const size = Math.max(responseBodySize, this.#sizes.get(request.url()) ?? 0);
    if (request.resourceType() !== "document") this.#sizes.set(request.url(), size);
    return size;
  }

  async #takePicture(name) {
    if (!this.pictures) return;
    this.#count += 1;
    const number = String(this.#count).padStart(2, "0");
    const path = join(this.pictures, `${number}-${name}-${this.width}-${this.scheme}.png`);
    await this.tab.screenshot({ path, fullPage: true });
  }

  /** Fills fields in by their names. */
  async fillIn(fields) {
    for (const [name, value] of Object.entries(fields)) {
      const field = this.tab.locator(`input[name="${name}"]`);
      if (typeof value === "boolean") await field.setChecked(value);
      else await field.fill(value);
    }
  }

  /** Fills fields in, presses a button, and waits for the page that comes of it. */
  async send(fields, button = SUBMIT) {
    await this.fillIn(fields);
    const loaded = this.tab.waitForEvent("load");
    await Promise.all([loaded, this.tab.locator(button).first().click()]);
  }

  /** The browser complained of nothing. */
  isQuiet() {
    assert.deepEqual(this.complaints(), []);
  }

  /** Tells a story; what goes wrong says which page it went wrong at. */
  async tell(story) {
    try {
      return await story();
    } catch (error) {
      const shown = await this.tab.locator("body").innerText().catch(() => "");
      const where = `at ${this.tab.url()}: ${shown.replace(/\s+/g, " ").slice(0, 400)}`;
      throw new Error(where, { cause: error });
    }
  }

  end() {
    return this.context.close();
  }
}
