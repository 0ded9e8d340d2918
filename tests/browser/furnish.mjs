// A console with something on every screen, and which of its links lead to screens of their own.

import { claims, until } from "./calls.mjs";
import { operator, ROLES } from "./operator.mjs";

/**
 * Files and streams are no screens; the way out would end the walk. A sample that becomes a golden case opens the workbench
 * with what is not saved yet, and has a test of its own.
 */
export const NO_SCREEN =
  /\/(export|live|step-up|sign-out|template\.csv|differences|recordings\/[^/]+\/samples)\b|[?&]case=/;

/** Uploads a version of a plugin. */
const upload = async (server, name, source, { settings = "", query = "" } = {}) => {
  const form = new FormData();
  form.set("source", new Blob([`export const getCustomJwtClaims = ${source};\n`]), `${name}.js`);
  form.set("manifest", new Blob([settings]), `${name}.toml`);
  await server.send("PUT", `/plugins/${name}${query}`, form);
};

/** A recording, a population run, and a rollout with samples of a plugin whose circuit breaker is open for one user. */
const furnishPlugins = async (server) => {
  await upload(server, "furnished", "() => ({ furnished: true })");
  await server.call("POST", "/plugins/furnished/recordings", { count: 50 });
  const tried = (plan) =>
    `({ context }) => {
  if (context.user?.username === "unlucky") throw new Error("out of luck");
  return { plan: "${plan}" };
}`;
  const settings = 'on_error = "skip"\n\n[breaker]\nfailures = 1\n';
  await upload(server, "furnished-rollout", tried("free"), { settings });
  await upload(server, "furnished-rollout", tried("basic"), { settings, query: "?activate=false" });
  await server.call("POST", "/plugins/furnished-rollout/rollout", { version: "2", mode: "shadow", share: 100 });
  const unlucky = await server.user({ username: "unlucky" });
  await until("an open circuit breaker", async () => {
    await claims(server, unlucky);
    return (await server.call("GET", "/plugins/furnished-rollout")).breaker.state !== "closed";
  });
  await until("a sample of the rollout", async () => {
    await claims(server, server.demo.customerUserId);
    return (await server.call("GET", "/plugins/furnished-rollout/rollout/samples")).length;
  });
  const run = {
    version: "1",
    against: "nothing",
    application: server.demo.spaClientId,
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    resource: server.demo.resource,
  };
  const { id } = await server.call("POST", "/plugins/furnished/population-runs", run);
  const isOver = async () => (await server.call("GET", `/plugins/furnished/population-runs/${id}`)).state !== "running";
  await until("the end of the population run", isOver);
};

/** Something of each kind, so that no list is empty, and somebody with each role. */
export const furnish = async (server) => {
  for (const role of Object.keys(ROLES)) await operator(server, `the_${role}`, role);
  const { url } = await server.call("POST", "/hook-receivers", {});
  await server.call("POST", "/hooks", { name: "furnished", events: ["Role.Created"], config: { url } });
  const { id } = await server.call("POST", "/organizations", { name: "Furnished" });
  await server.call("POST", `/organizations/${id}/users`, { userIds: [server.demo.customerUserId] });
  await server.call("POST", "/organization-roles", { name: "editor" });
  await server.call("POST", "/roles", { name: "reader", description: "Reads." });
  const details = { subject: "Your code", content: "{{code}}" };
  const templates = [{ languageTag: "en", templateType: "SignIn", details }];
  await server.call("PUT", "/email-templates", { templates });
  await server.call("POST", "/sso-connectors", { providerName: "Okta", connectorName: "Furnished" });
  await server.call("POST", "/custom-profile-fields", { name: "furnished", type: "Text", required: false });
  await server.call("PUT", "/custom-phrases/de", { sign_in: { title: "Moin!" } });
  await furnishPlugins(server);
};

// Identifiers have 12 or 21 characters of [a-z0-9], and need not have a digit; one word in the paths is as long.
const ID = /\/(?!applications(?:\/|$))(?:[a-z0-9]{12}|[a-z0-9]{21})(?=\/|$)/g;

/** A link without what tells apart two of the same kind. */
export const kindOf = (path) => path.replace(/[?#].*/, "").replaceAll(ID, "/{id}");
