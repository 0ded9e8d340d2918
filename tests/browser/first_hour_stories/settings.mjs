// The settings of sign-in are changed eight ways, each in such a way that it could lock the only administrator out, who
// signs in after each.

import assert from "node:assert/strict";
import { said } from "../operator.mjs";

const method = (identifier) => ({ identifier, password: true, verificationCode: false, isPasswordPrimary: true });
const ways = (methods) => (tab) => tab.locator("[name='signIn.methods']").fill(JSON.stringify(methods));
const choice = (name, option) => (tab) => tab.locator(`select[name='${name}']`).selectOption(option);
const CHANGES = [
  ["methods", ways([method("username")])],
  ["methods", ways([method("email")])],
  ["methods", ways([])],
  ["methods", choice("signInMode", "Register")],
  ["methods", choice("singleSignOnEnabled", "true")],
  ["security", (tab) => tab.locator("[name='mfa.factors'][value=Totp]").check()],
  ["security", choice("mfa.policy", "Mandatory")],
  ["protection", choice("emailBlocklistPolicy.blockSubaddressing", "true")],
];

export const changeSettings = async ({ window }) => {
  const { tab } = window;
  for (const [screen, change] of CHANGES) {
    await window.open(`/console/sign-in-experience/${screen}`);
    await change(tab);
    await window.submit(`/sign-in-experience/${screen}`);
    const anyway = tab.locator("input[name=locks-users-out]");
    if (await anyway.count()) {
      await anyway.check();
      await window.submit(`/sign-in-experience/${screen}`);
    }
    assert.match(await said(tab), /Saved/);
    await window.signsIn();
  }
};
