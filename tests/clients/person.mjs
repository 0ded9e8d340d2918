// A person at a browser without JavaScript: follows redirects, keeps cookies, and fills the forms of the pages in.

import { readFileSync } from "node:fs";

/** What was registered for this client. */
export const given = JSON.parse(readFileSync(process.argv[2], "utf8"));

const unescaped = (text) =>
  text.replace(/&#(\d+);|&amp;|&quot;/g, (sign, code) => (code ? String.fromCharCode(code) : sign === "&amp;" ? "&" : '"'));

/** A browser with its cookies. */
export class Person {
  #cookies = new Map();

  /** Opens a URL and does what the pages want; answers the URL of the application at which it ends. */
  async visit(url) {
    let response = await this.#ask("GET", url);
    for (let pages = 0; pages < 20; pages += 1) {
      const location = response.headers.get("location");
      if (location) {
        const next = new URL(location, url);
        if (next.origin !== given.origin) return next;
        response = await this.#ask("GET", next);
      } else {
        response = await this.#fillIn(response, await response.text());
      }
    }
    throw new Error(`${url} leads nowhere`);
  }

  async #fillIn(response, html) {
    const form = /<form[^>]* method="post" action="([^"]*)"/.exec(html);
    if (!response.ok || !form) throw new Error(`${response.status} ${response.url}: ${html}`);
    const fields = new URLSearchParams();
    for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
      fields.set(unescaped(name), unescaped(value));
    }
    if (html.includes('name="password"')) {
      fields.set("identifier", given.username);
      fields.set("password", given.password);
    } else if (html.includes('name="decision"')) {
      fields.set("decision", "allow");
    } else if (html.includes('name="confirm"')) {
      fields.set("confirm", "true");
    } else {
      throw new Error(`a page that nobody expects: ${html}`);
    }
    return this.#ask("POST", new URL(unescaped(form[1]), given.origin), fields);
  }

  async #ask(method, url, body) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", cookie, ...(body && { origin: given.origin }) };
    const response = await fetch(url, { method, body, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return response;
  }
}
