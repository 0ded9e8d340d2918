// Every form of the console, sent as a browser does that runs no scripts: as it is shown, without a change.

import assert from "node:assert/strict";
import { furnish, kindOf } from "../furnish.mjs";
import { signInAtConsole } from "../operator.mjs";
import { get, post, walk } from "../walk.mjs";
import { story } from "../world.mjs";

/** What takes away what other forms are about comes after them, from oneself later, and the way out at last. */
const ORDER = [/\/administrators\/.*\/remove/, /\/(delete|remove|revoke|end|suspend|rotate|password)\b/, /sign-out/];
const order = ([kind, { action }], own) =>
  2 * ORDER.findIndex((one) => one.test(kind)) + (action.includes(own) ? 5 : 0);

/** Where at least one box has to be ticked, which HTML cannot say; and what nobody takes from the last administrator. */
const MAY_BE_REFUSED = /\/(add|assign|suspend) $|-role-admin\/.*remove|\/access\/.*remove/;

/** The form as its page shows it now, if it still does. */
const again = async (visit, { page, action, what }) => {
  const { forms } = await get(visit, page);
  return forms.find((form) => kindOf(form.action ?? page) === kindOf(action) && form.what === what);
};

story("every form is sent without scripts", { own: {}, javaScript: false }, async (visit) => {
  await furnish(visit.server);
  const own = await signInAtConsole(visit);
  const { forms } = await walk(visit);
  const ordered = [...forms].sort((one, other) => order(one, own) - order(other, own));
  const wrong = [];
  let sent = 0;
  for (const [kind, { page, ...form }] of ordered) {
    const shown = await again(visit, { page, ...form });
    if (!shown) continue;
    const answer = await post(visit, { ...shown, action: shown.action ?? page }, shown.shown);
    sent += 1;
    // Saved, or shown again with what is missing: where the browser itself would not have sent it.
    const right = [200, shown.isValid ? 303 : 422, ...(MAY_BE_REFUSED.test(kind) ? [422] : [])];
    if (right.includes(answer.status())) continue;
    const said = /role="alert"[^>]*>[^]*?<span>([^]*?)<\/span>/.exec(await answer.text())?.[1] ?? "";
    // The role of the last application that administers: which role a page is of, its kind does not say.
    if (answer.status() === 422 && said.startsWith("This would leave no machine-to-machine application")) continue;
    wrong.push(`${answer.status()} POST ${kind}: ${said}`);
  }
  assert.ok(wrong.length === 0, wrong.join("\n"));
  assert.ok(sent > 130, `${sent} of ${forms.size} forms were sent`);
});
