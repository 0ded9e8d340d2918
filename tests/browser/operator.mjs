// People who administer: how they come to the console, with the role that a story needs.

import { PASSWORD } from "./people.mjs";

/** The server's own roles, by the word that the stories use. */
const ROLES = {
  reader: "Console: reader",
  support: "Console: support",
  developer: "Console: developer",
  administrator: "Console: administrator",
};

/** Creates somebody with a role of the console; answers the id. */
export const operator = async (server, username, role = "administrator") => {
  const id = await server.user({ username, password: PASSWORD, name: username });
  const roles = await server.call("GET", `/roles?search=${encodeURIComponent("Console:%")}`);
  const { id: roleId } = roles.find(({ name }) => name === ROLES[role]);
  await server.call("POST", `/users/${id}/roles`, { roleIds: [roleId] });
  return id;
};

/** Signs somebody in at the console, who is created if they are not there; answers their id. */
export const signInAtConsole = async (visit, role = "administrator", username = `the_${role}`) => {
  const known = await visit.server.call("GET", `/users?search.username=${username}&mode=exact`);
  const id = known[0]?.id ?? (await operator(visit.server, username, role));
  await visit.open("/console");
  await visit.see("sign-in");
  await visit.send({ identifier: username, password: PASSWORD });
  await visit.seeScreen("Overview");
  return id;
};
