// The forms of the console that a role is not shown, sent all the same: each is refused, and so is each screen that is
// not for the role.

import assert from "node:assert/strict";
import { furnish } from "../furnish.mjs";
import { ROLES, signInAtConsole } from "../operator.mjs";
import { get, post, walk } from "../walk.mjs";
import { story } from "../world.mjs";

story("no role opens or sends what it is not shown", { own: {} }, async (visit) => {
  const { world, server } = visit;
  await furnish(server);
  await signInAtConsole(visit);
  const all = await walk(visit);
  assert.deepEqual(all.dead, []);
  assert.deepEqual(all.withoutCommand, []);
  assert.ok(all.screens.size > 80 && all.forms.size > 80, `${all.screens.size} screens, ${all.forms.size} forms`);
  for (const role of Object.keys(ROLES).filter((role) => role !== "administrator")) {
    const other = await world.visit();
    await signInAtConsole(other, role);
    const own = await walk(other);
    const { csrf } = (await get(other, "/console")).forms[0].fields;
    const accepted = [];
    for (const [kind, path] of all.screens) {
      if (own.screens.has(kind)) continue;
      const { status } = await get(other, path);
      if (status !== 403) accepted.push(`${status} GET ${path}`);
    }
    for (const [kind, form] of all.forms) {
      if (own.forms.has(kind)) continue;
      const answer = await post(other, form, Object.entries({ ...form.fields, csrf }));
      const isRefused = answer.status() === 403 && (await answer.text()).includes("Not for your role");
      if (!isRefused) accepted.push(`${answer.status()} POST ${kind}`);
    }
    const wrong = [...own.dead, ...accepted];
    assert.ok(wrong.length === 0, `${role}:\n${wrong.join("\n")}`);
    await other.end();
  }
});
