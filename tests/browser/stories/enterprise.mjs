// Signing in with one's company: the address says where, and whoever comes from there is a member.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { Upstream } from "../upstream.mjs";

const [ADA, GRACE] = ["ada@acme.example", "grace@acme.example"];
const EVENTS = ["Organization.Membership.Updated", "PostRegister", "PostSignIn", "User.Created", "User.Data.Updated"];

/** The people of this domain sign in at the upstream, and join an organization; answers its id, and its role. */
const found = async (server, upstream) => {
  const config = await upstream.admit([]);
  const connector = { providerName: "OIDC", connectorName: "Acme", domains: ["acme.example"], config };
  const { id } = await server.call("POST", "/sso-connectors", connector);
  await upstream.expect([`${server.origin}/callback/${id}`]);
  await server.settings({ singleSignOnEnabled: true });
  const organization = await server.call("POST", "/organizations", { name: "Acme" });
  const role = await server.call("POST", "/organization-roles", { name: "member" });
  const jit = `/organizations/${organization.id}/jit`;
  await server.call("POST", `${jit}/email-domains`, { emailDomain: "acme.example" });
  await server.call("POST", `${jit}/roles`, { organizationRoleIds: [role.id] });
  return { organization: organization.id, role: role.id };
};

told("the people of a company sign in there, and are members", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const upstream = await Upstream.start();
  try {
    for (const email of [ADA, GRACE]) await upstream.user(email.split("@")[0], email);
    const { organization, role } = await found(server, upstream);
    const client = await application.register(server);
    const joins = async (sub) => {
      const joined = await receiver.wait("Organization.Membership.Updated", (body) => body.addedUserIds?.includes(sub));
      assert.equal(joined.organizationId, organization);
      const roles = await server.call("GET", `/organizations/${organization}/users/${sub}/roles`);
      assert.deepEqual(roles.map(({ id }) => id), [role]);
    };

    // Somebody new, by the page of companies.
    let request = await application.begin(visit, client);
    await visit.see("sign-in");
    await visit.tab.getByRole("link", { name: "Sign in with your company" }).click();
    await visit.see("single-sign-on");
    await visit.send({ email: "ada@elsewhere.example" });
    await visit.tab.locator("#email-error").waitFor();
    await visit.see("single-sign-on");
    await visit.send({ email: ADA });
    await upstream.signIn(visit, "ada");
    const { sub } = await application.exchange(visit.tab, server, request);
    const created = await receiver.wait("User.Created", about(sub));
    assert.equal(created.data.primaryEmail, ADA);
    await receiver.wait("PostRegister", about(sub));
    await joins(sub);

    // Somebody who has an account here, by their address: the password is not looked at.
    const id = await server.user({ username: "grace", primaryEmail: GRACE, password: PASSWORD });
    const hers = await world.visit();
    request = await application.begin(hers, client);
    await hers.see("sign-in");
    await hers.send({ identifier: GRACE, password: "whatever" });
    await upstream.signIn(hers, "grace");
    assert.equal((await application.exchange(hers.tab, server, request)).sub, id);
    const linked = await receiver.wait("User.Data.Updated", about(id));
    assert.equal(linked.interactionEvent, "SignIn");
    await receiver.wait("PostSignIn", about(id));
    await joins(id);
    const { ssoIdentities } = await server.call("GET", `/users/${id}?includeSsoIdentities=true`);
    assert.equal(ssoIdentities.length, 1);
    hers.isQuiet();
  } finally {
    await upstream.stop();
  }
});
