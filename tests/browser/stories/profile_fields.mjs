// The fields that the operator asks for: filled in when somebody registers, and changed at their own account.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const FIELDS = [
  { name: "nickname", type: "Text", label: "Nickname", required: true },
  { name: "birthdate", type: "Date", label: "Birthday", required: false, config: { format: "dd/MM/yyyy" } },
  {
    name: "size",
    type: "Select",
    label: "Size",
    required: true,
    config: { options: [{ value: "s", label: "Small" }, { value: "l", label: "Large" }] },
  },
];

told("the operator's own fields are filled in and changed", ["PostRegister", "User.Data.Updated"],
  async (visit, { server, application }, receiver) => {
    await server.call("POST", "/custom-profile-fields/batch", FIELDS);
    await server.call("PATCH", "/account-center", { profileFields: [{ name: "nickname" }, { name: "size" }] });
    const client = await application.register(server);
    const request = await application.begin(visit, client, { prompt: "create" });
    await visit.see("register");
    await visit.send({ username: "ada", password: PASSWORD });
    await visit.see("profile");
    await visit.tab.selectOption("#field-size", "s");
    await visit.send({ "field-nickname": "Countess", "field-birthdate": "1815-12-10" });
    const { sub } = await application.exchange(visit.tab, server, request);
    const registered = await receiver.wait("PostRegister", about(sub));
    assert.equal(registered.userId ?? registered.data?.id, sub);
    const user = await server.call("GET", `/users/${sub}`);
    assert.equal(user.profile.nickname, "Countess");
    assert.equal(user.customData.size, "s");

    await visit.open("/account");
    await visit.see("account");
    await visit.tab.selectOption("#fields #field-size", "l");
    await visit.send({}, "#fields button[type=submit]");
    await visit.see("account");
    await receiver.wait("User.Data.Updated", about(sub));
    assert.equal((await server.call("GET", `/users/${sub}`)).customData.size, "l");
  });
