// An API resource with a scope, the roles that carry it and a user who has one; and the API itself, which runs with the
// code of the tab "Protect this API".

import assert from "node:assert/strict";
import { NAME, PLAN, SCOPE, USERNAME } from "../../snippets/fixture.mjs";
import { Program } from "../../snippets/programs.mjs";
import { PASSWORD } from "../people.mjs";
import { freePort } from "../server.mjs";

/** Creates a role that carries the scope; answers its name. */
const createRole = async (window, type) => {
  const { tab } = window;
  const name = `Orders ${type}`;
  await window.section("/roles");
  await window.leaves(tab.locator("main a[href$='/console/roles/create']"));
  await tab.locator("input[name=name]").fill(name);
  await tab.locator("select[name=type]").selectOption(type);
  await tab.locator("fieldset", { hasText: "Orders" }).getByLabel(SCOPE).check();
  await window.submit("/console/roles/create");
  await tab.getByRole("heading", { level: 1, name }).waitFor();
  return name;
};

export const createApi = async (world) => {
  const { window } = world;
  const { tab } = window;
  const indicator = `http://localhost:${await freePort()}`;
  await window.section("/resources");
  await window.leaves(tab.locator("main a[href$='/console/resources/create']"));
  await tab.locator("input[name=name]").fill("Orders");
  await tab.locator("input[name=indicator]").fill(indicator);
  await window.submit("/console/resources/create");
  await tab.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  const id = new URL(tab.url()).pathname.split("/").at(-1);
  await tab.locator("input[name=scope]").fill(SCOPE);
  await tab.locator("input[name=description]").fill("Read orders");
  await window.submit(`/resources/${id}/scopes`);
  await tab.locator("#list").getByText(SCOPE, { exact: true }).waitFor();
  world.orders = { id, indicator };
  world.fixture.apis.node = world.orders;
  world.machineRole = await createRole(window, "MachineToMachine");
  const role = await createRole(window, "User");

  await window.section("/users");
  await window.leaves(tab.locator("main a[href$='/console/users/create']"));
  await tab.locator("input[name=name]").fill(NAME);
  await tab.locator("input[name=username]").fill(USERNAME);
  await tab.locator("input[name=way][value=password]").check();
  await tab.locator("input[name=password]").fill(PASSWORD);
  await window.submit("/console/users/create");
  await tab.getByRole("heading", { level: 1, name: NAME }).waitFor();
  world.userId = new URL(tab.url()).pathname.split("/users/")[1].split("/")[0];
  await window.open(`/console/users/${world.userId}/access`);
  await tab.locator("select[name=role]").selectOption({ label: role });
  await window.submit(`/users/${world.userId}/roles`);
  await tab.locator("#list").getByRole("link", { name: role }).waitFor();
};

export const protectApi = async (world) => {
  const { window, wizard, server, orders } = world;
  const { tab } = window;
  await window.open(`/console/resources/${orders.id}`);
  await window.leaves(tab.getByRole("link", { name: "Protect this API" }));
  const shown = await wizard.protectedApi(orders.id, "node");
  await window.fits();
  const program = new Program("api", shown);
  world.programs.push(program);
  await program.install();
  await program.start(orders.indicator);
  // An application of a machine, which has the role.
  const { id, files } = await wizard.create("curl", "Nightly job", { resource: orders.indicator });
  const secret = /CLIENT_SECRET='?([^'\n]+)/.exec(Object.values(files).join("\n"))[1];
  world.machine = { id, secret };
  await world.fixture.grant(id);
  const { status, body } = await server.token(world.machine, orders.indicator);
  assert.equal(status, 200, JSON.stringify(body));
  const call = (path, token) =>
    fetch(`${orders.indicator}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const accepted = await call("/", body.access_token);
  const text = await accepted.text();
  assert.equal(accepted.status, 200, text);
  assert.match(text, new RegExp(`"plan"\\s*:\\s*"${PLAN}"`));
  assert.equal((await call("/scoped", body.access_token)).status, 200);
  assert.equal((await call("/")).status, 401);
  const [header, payload, signature] = body.access_token.split(".");
  const forged = Buffer.from(signature, "base64url").reverse().toString("base64url");
  const refused = await call("/", `${header}.${payload}.${forged}`);
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get("www-authenticate"), /^Bearer .*error="invalid_token"/);
};
