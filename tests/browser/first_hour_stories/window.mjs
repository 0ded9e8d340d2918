// A browser window of the administrator, at a width. It fails for what no page may do: be wider than the window, answer
// with a failure of the server, or make the browser complain.

import assert from "node:assert/strict";
import { describe } from "../layout.mjs";
import { button, confirm, isAsked } from "../operator.mjs";
import { PASSWORD } from "../people.mjs";

export const ADDRESS = "ruth@example.com";
/** How long a page may take where other work goes on beside it. */
const PAGE_MS = 60_000;

export class Window {
  #complaints = [];

  static async open(browser, server, width) {
    const window = new Window();
    Object.assign(window, { browser, server, width });
    window.context = await window.newContext();
    window.tab = await window.context.newPage();
    window.watch(window.tab);
    return window;
  }

  /** Another browser of the same width, which is signed in nowhere. */
  newContext() {
    return this.browser.newContext({ viewport: { width: this.width, height: 800 }, reducedMotion: "reduce" });
  }

  watch(tab) {
    tab.setDefaultTimeout(PAGE_MS);
    tab.on("pageerror", (error) => this.#complaints.push(`${tab.url()}: ${error.message}`));
    tab.on("response", (answer) => {
      if (answer.url().startsWith(this.server.origin) && answer.status() >= 500) {
        this.#complaints.push(`${answer.url()} answered ${answer.status()}`);
      }
    });
    tab.on("console", (message) => {
      // The status of a form that is shown again is no fault.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        this.#complaints.push(`${tab.url()}: ${message.text()}`);
      }
    });
  }

  /** Goes to a path of the server. */
  async open(path) {
    await this.tab.goto(`${this.server.origin}${path}`);
    await this.fits();
  }

  /** Goes to a section by the navigation, which is behind a button where the window is narrow. */
  async section(path) {
    const menu = this.tab.getByRole("button", { name: "Menu" });
    if (await menu.isVisible()) await menu.click();
    await this.leaves(this.tab.locator(`#navigation a[href$='/console${path}']`));
  }

  /** Clicks something that leads to another page. */
  async leaves(target) {
    await Promise.all([this.tab.waitForEvent("load"), target.first().click()]);
    await this.fits();
  }

  /** Sends the form with this action; who has to, confirms who they are. */
  async submit(action) {
    await this.leaves(this.tab.locator(`form[action$='${action}'] button[type=submit]`));
    await this.#confirms();
  }

  /** Presses a button that sends a form; the same. */
  async press(name) {
    await this.leaves(button(this.tab, name));
    await this.#confirms();
  }

  async #confirms() {
    if (await isAsked(this.tab)) await confirm(this, PASSWORD);
    await this.fits();
  }

  /** Nothing is wider than the window, and the browser complained of nothing. */
  async fits() {
    await this.tab.waitForLoadState();
    const { overflow, wide, headings } = await this.tab.evaluate(describe);
    const where = `${this.tab.url()} at ${this.width} px`;
    assert.ok(overflow <= 0, `${where} is ${overflow} px too wide: ${wide}`);
    assert.equal(headings, 1, `${where} has ${headings} headings`);
    assert.deepEqual(this.#complaints, []);
  }

  /** Signs the administrator in at the console, in a browser that is signed in nowhere. */
  async signsIn() {
    const context = await this.newContext();
    try {
      const tab = await context.newPage();
      this.watch(tab);
      await tab.goto(`${this.server.origin}/console`);
      await this.enter(tab);
    } finally {
      await context.close();
    }
  }

  /** Fills in the sign-in page, and waits for the console. */
  async enter(tab = this.tab) {
    await tab.locator("input[name=identifier]").fill(ADDRESS);
    await tab.locator("input[name=password]").fill(PASSWORD);
    await tab.locator("button[type=submit].button").first().click();
    await tab.locator("header.bar details.who").waitFor();
    await tab.waitForURL((url) => url.href.startsWith(`${this.server.origin}/console`));
  }
}
