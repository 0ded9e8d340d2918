// The mailbox of a demo server, read by the owner of the terminal: the link that it shows opens the page, which has the
// codes and links that would be sent.

const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"' };

const unescaped = (html) =>
  html.replace(/&(?:#(\d+)|(\w+));/g, (_, number, name) => (number ? String.fromCharCode(number) : CHARACTERS[name]));

export class Mailbox {
  #address;
  #cookie;

  static async open(server) {
    const mailbox = new Mailbox();
    mailbox.#address = `${server.listens}/demo/mailbox`;
    const csrf = new URL(server.mailbox).searchParams.get("code");
    const headers = { origin: server.origin };
    const body = new URLSearchParams({ csrf });
    const opened = await fetch(mailbox.#address, { method: "POST", headers, body, redirect: "manual" });
    const [cookie] = opened.headers.getSetCookie();
    if (!cookie) throw new Error(`the mailbox does not open: ${opened.status}`);
    [mailbox.#cookie] = cookie.split(";");
    return mailbox;
  }

  /** The last message to somebody: `{ text, link }`. */
  async message(recipient) {
    const page = await (await fetch(this.#address, { headers: { cookie: this.#cookie } })).text();
    for (const letter of page.split('<section class="panel">').slice(1)) {
      const [, to] = /<p class="aside">\s*(\S+)\s*·/.exec(letter);
      if (unescaped(to) === recipient) {
        const [, text] = /<pre>([^]*?)<\/pre>/.exec(letter);
        const link = /<a href="([^"]*)" rel="noopener">/.exec(letter)?.[1];
        return { text: unescaped(text), link: link && unescaped(link) };
      }
    }
    throw new Error(`there is nothing for ${recipient}: ${page}`);
  }

  /** The code of the last message to somebody. */
  async code(recipient) {
    const { text } = await this.message(recipient);
    return /\b\d{6}\b/.exec(text)[0];
  }
}
