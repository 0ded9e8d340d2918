// A console with something on every screen, and which of its links lead to screens of their own.

import { operator, ROLES } from "./operator.mjs";

/** Files and streams are no screens; the way out would end the walk. */
export const NO_SCREEN = /\/(export|live|step-up|sign-out|template\.csv)\b/;

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
  const form = new FormData();
  form.set("source", new Blob(["export const getCustomJwtClaims = () => ({ furnished: true });\n"]), "furnished.js");
  await server.send("PUT", "/plugins/furnished", form);
};

// Identifiers have 12 or 21 characters of [a-z0-9], and need not have a digit; one word in the paths is as long.
const ID = /\/(?!applications(?:\/|$))(?:[a-z0-9]{12}|[a-z0-9]{21})(?=\/|$)/g;

/** A link without what tells apart two of the same kind. */
export const kindOf = (path) => path.replace(/[?#].*/, "").replaceAll(ID, "/{id}");
