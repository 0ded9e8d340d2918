// What each kind of program must do.

import assert from "node:assert/strict";
import { LEEWAY_SECONDS, NAME, PLAN, SCOPE, USERNAME } from "./fixture.mjs";
import { Program, programPort } from "./programs.mjs";
import { signIn } from "./wizard.mjs";

/** How long pages may take; some frameworks compile a page when it is opened. */
const PAGE_MS = 120_000;

/** The claim that the plugin added, as JSON however it is spaced. */
const HAS_PLAN = new RegExp(`"plan"\\s*:\\s*"${PLAN}"`);

/** No secret stands in the code: only the environment file has it. */
const keepsSecret = ({ files }) => {
  const secret = /CLIENT_SECRET='?([^'\n]+)/.exec(files[".env"] ?? "")?.[1];
  for (const [path, text] of Object.entries(files)) {
    if (path !== ".env" && secret) assert.ok(!text.includes(secret), `${path} contains the secret`);
  }
};

/** A program that calls the API in its own name, and ends. */
export const machine = async (name, { wizard, fixture, api }) => {
  const shown = await wizard.create(name, `Machine ${name}`, { resource: fixture.apis.node.indicator });
  keepsSecret(shown);
  await fixture.grant(shown.id);
  const program = new Program(name, shown);
  await program.install();
  await api("node");
  const printed = await program.runToEnd();
  assert.match(printed, HAS_PLAN);
  assert.match(printed, new RegExp(`"scope"\\s*:\\s*"${SCOPE}"`));
};

/** A web or single-page application: sign-in, greeting, API call, sign-out. */
export const web = async (name, { wizard, fixture, browser, api }) => {
  const resource = fixture.apis.node.indicator;
  const shown = await wizard.create(name, `Web ${name}`, { port: await programPort(), resource });
  keepsSecret(shown);
  const home = new URL("/", shown.redirectUri).href;
  const program = new Program(name, shown);
  const context = await browser.newContext();
  try {
    await program.install();
    await api("node");
    await program.start(home);
    const tab = await context.newPage();
    tab.setDefaultTimeout(PAGE_MS);
    tab.setDefaultNavigationTimeout(PAGE_MS);
    const named = (name) =>
      tab.getByRole("link", { name, exact: true }).or(tab.getByRole("button", { name, exact: true }));
    const [enter, leave] = [named("Sign in"), named("Sign out")];
    // An answer that nothing in this browser asked for is no failure of the program.
    for (const query of ["", "?code=x&state=y", "?error=access_denied&state=y"]) {
      const answer = await fetch(`${shown.redirectUri}${query}`, { redirect: "manual" });
      assert.ok(answer.status < 500, `${query}: ${answer.status}`);
    }
    await tab.goto(home);
    await enter.click();
    await signIn(tab, USERNAME);
    await tab.getByText(`Hello ${NAME}`).waitFor();
    await tab.getByText(HAS_PLAN).waitFor();
    const text = await tab.locator("body").innerText();
    assert.match(text, new RegExp(`"scope"\\s*:\\s*"${SCOPE}"`));
    // A reload keeps the user signed in.
    await tab.goto(home);
    await tab.getByText(`Hello ${NAME}`).waitFor();
    await leave.click();
    await enter.waitFor();
    assert.equal(new URL(tab.url()).origin, new URL(home).origin);
    // The session at the server has ended, too.
    await enter.click();
    await tab.locator("input[name=password]").waitFor();
  } catch (error) {
    error.message += `\n${program.printed}`;
    throw error;
  } finally {
    await context.close();
    await program.stop();
  }
};

/** A program of the command line that prints a URL for the browser. */
export const commandLine = async (name, { wizard, fixture, browser, api }, { before, after } = {}) => {
  const shown = await wizard.create(name, `Command line ${name}`, { resource: fixture.apis.node.indicator });
  const program = new Program(name, shown);
  const context = await browser.newContext();
  try {
    await program.install();
    await api("node");
    const running = program.begin();
    const tab = await context.newPage();
    tab.setDefaultTimeout(PAGE_MS);
    for (const end = Date.now() + PAGE_MS; !/https?:\/\/\S+/.test(running.printed); ) {
      assert.ok(Date.now() < end && running.child.exitCode === null, `no URL: ${running.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await tab.goto(/https?:\/\/\S+/.exec(running.printed)[0]);
    await before?.(tab);
    await signIn(tab, USERNAME);
    await after?.(tab);
    const ended = await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, PAGE_MS, "late"))]);
    assert.equal(ended, 0, running.printed);
    assert.match(running.printed, HAS_PLAN);
  } finally {
    await context.close();
    await program.stop();
  }
};

/** An API accepts valid tokens and refuses all others, with the challenge of RFC 6750. */
export const protectedApi = async (language, { fixture, tokens: { [language]: tokens }, api }) => {
  const program = await api(language);
  const ask = async (path, token) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await fetch(`${fixture.apis[language].indicator}${path}`, { headers });
    const challenge = answer.headers.get("www-authenticate") ?? "";
    return { status: answer.status, challenge, text: await answer.text() };
  };
  try {
    const accepted = await ask("/", tokens.valid);
    assert.equal(accepted.status, 200, `${accepted.text} ${accepted.challenge}`);
    assert.match(accepted.text, HAS_PLAN);
    for (const path of ["/scoped", "/gold"]) assert.equal((await ask(path, tokens.valid)).status, 200, path);
    const none = await ask("/");
    assert.equal(none.status, 401);
    assert.match(none.challenge, /^Bearer/);
    const refused = {
      "a wrong audience": tokens.wrongAudience,
      "an ID token": tokens.idToken,
      "a forged signature": tokens.forged,
      "no signature": tokens.unsigned,
      "no token": "x",
      "an expired token": await tokens.expired(LEEWAY_SECONDS_OF[language] ?? 0),
    };
    for (const [what, token] of Object.entries(refused)) {
      const answer = await ask("/", token);
      assert.equal(answer.status, 401, `${what}: ${answer.text}`);
      assert.match(answer.challenge, /^Bearer .*error="invalid_token"/, what);
    }
    assert.equal((await ask("/", tokens.withoutScope)).status, 200);
    for (const path of ["/scoped", "/gold"]) {
      const answer = await ask(path, tokens.withoutScope);
      assert.equal(answer.status, 403, `${path}: ${answer.text}`);
      assert.match(answer.challenge, /error="insufficient_scope"/, path);
    }
    // A scope is a whole word, and the refusals above have not broken anything.
    assert.equal((await ask("/scoped", tokens.valid)).status, 200);
  } catch (error) {
    error.message += `\n${program.printed}`;
    throw error;
  } finally {
    // The others call this one.
    if (language !== "node") await program.stop();
  }
};

/** Libraries that forgive a token that expired a short while ago. */
const LEEWAY_SECONDS_OF = { java: LEEWAY_SECONDS, rust: 0 };
