// An operator at the console: creates applications with the wizard, and reads the code that it shows.

import assert from "node:assert/strict";
import { operator } from "../browser/operator.mjs";
import { PASSWORD } from "../browser/people.mjs";

/** Signs in at a page of the server. */
export const signIn = async (tab, username) => {
  await tab.locator("input[name=identifier]").fill(username);
  await tab.locator("input[name=password]").fill(PASSWORD);
  await tab.locator("button[type=submit].button").first().click();
};

/** The program that the page shows. */
const program = async (tab) => {
  const files = await tab.locator("pre[data-file]").evaluateAll((all) =>
    // The environment file ends with a line break; so do all others.
    Object.fromEntries(all.map((pre) => [pre.dataset.file, pre.querySelector("code").textContent])),
  );
  const commands = (await tab.locator("pre[data-commands] code").textContent()).trimEnd().split("\n");
  return { files, install: commands.slice(0, -1).join("\n"), run: commands.at(-1) };
};

export class Wizard {
  #tab;
  #origin;
  #before = Promise.resolve();

  /** There is one tab: what is asked for at once is done in turn. */
  #inTurn(work) {
    const done = this.#before.then(work);
    this.#before = done.catch(() => {});
    return done;
  }

  /** In a tab in which an administrator is signed in at the console of this base URL. */
  static of(tab, origin) {
    const wizard = new Wizard();
    wizard.#tab = tab;
    wizard.#origin = origin;
    return wizard;
  }

  /** Signs a new administrator in. */
  static async open(browser, server) {
    const context = await browser.newContext();
    const wizard = Wizard.of(await context.newPage(), server.origin);
    await operator(server, "snippet_admin");
    await wizard.#tab.goto(`${server.origin}/console`);
    await signIn(wizard.#tab, "snippet_admin");
    await wizard.#tab.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    return wizard;
  }

  /** The ids of the frameworks that the first step offers. */
  async frameworks() {
    await this.#tab.goto(`${this.#origin}/console/applications/new`);
    const values = await this.#tab.locator("input[name=with]").evaluateAll((all) => all.map((radio) => radio.value));
    return values.filter((value) => !["SPA", "Traditional", "Native", "MachineToMachine"].includes(value));
  }

  /** The languages in which the page of a resource has code for an API. */
  async languages(resourceId) {
    await this.#tab.goto(`${this.#origin}/console/resources/${resourceId}/protect`);
    const links = this.#tab.getByRole("navigation", { name: "Languages" }).getByRole("link");
    return links.evaluateAll((all) => all.map((link) => new URL(link.href).searchParams.get("with")));
  }

  /**
   * Creates an application for a framework by the three steps; `port` replaces that of the suggested URIs, if there are
   * any. Answers the program, with the id of the application and its redirect URI.
   */
  create(framework, name, values) {
    return this.#inTurn(() => this.#create(framework, name, values));
  }

  async #create(framework, name, { port, resource }) {
    const tab = this.#tab;
    await tab.goto(`${this.#origin}/console/applications/new`);
    await tab.locator(`input[name=with][value="${framework}"]`).check();
    await tab.getByRole("button", { name: "Next" }).click();
    await tab.getByLabel("Name", { exact: true }).fill(name);
    let redirectUri;
    for (const label of ["Redirect URIs", "Post-logout redirect URIs"]) {
      const field = tab.getByLabel(label, { exact: true });
      if (!(await field.count())) continue;
      const suggested = await field.inputValue();
      if (!suggested) continue;
      const uri = suggested.replace(/^(http:\/\/localhost):\d+/, `$1:${port}`);
      await field.fill(uri);
      redirectUri ??= uri;
    }
    const choices = tab.getByLabel("API", { exact: true }).locator("option");
    const options = await choices.evaluateAll((all) => all.map(({ value }) => value));
    for (const own of ["/console", ...(redirectUri ? ["/api"] : [])]) {
      assert.ok(!options.includes(`${this.#origin}${own}`), `an API that no application gets: ${options}`);
    }
    await tab.getByLabel("API", { exact: true }).selectOption(resource);
    await tab.getByRole("button", { name: "Create application" }).click();
    await tab.getByRole("heading", { level: 1, name }).waitFor();
    const shown = await program(tab);
    // Later, the page shows the same without the secret.
    const later = tab.getByRole("navigation", { name: "Pages of" }).getByRole("link", { name: "Quickstart" });
    const path = await later.getAttribute("href");
    const id = path.split("/").at(-2);
    await tab.goto(`${new URL(path, this.#origin)}?${new URLSearchParams({ with: framework, resource })}`);
    const again = await program(tab);
    const masked = ([path, text]) => [path, text.replace(/(CLIENT_SECRET='?)[^'\n]*/, "$1")];
    assert.deepEqual(Object.entries(again.files).map(masked), Object.entries(shown.files).map(masked));
    assert.equal(await tab.getByRole("list", { name: "Missing" }).count(), 0);
    return { ...shown, id, redirectUri };
  }

  /** The code of an API that checks its tokens. */
  protectedApi(resourceId, language) {
    return this.#inTurn(async () => {
      await this.#tab.goto(`${this.#origin}/console/resources/${resourceId}/protect?with=${language}`);
      return program(this.#tab);
    });
  }
}
