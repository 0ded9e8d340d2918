// What the people of the stories type, how the settings let them sign in with it, and their own account.

export const PASSWORD = "violet-kettle-42";
/** Another one that the settings allow. */
export const NEW_PASSWORD = "orange-teapot-43";

/** A way to sign in: with a password, or also or only with a code. */
export const method = (identifier, { password = true, code = false } = {}) => ({
  identifier,
  password,
  verificationCode: code,
  isPasswordPrimary: password,
});

/** A code of six digits that is not this one. */
export const anotherThan = (code) => (code === "000000" ? "000001" : "000000");

/** Signs somebody in to their own account. */
export const arriveAtAccount = async (visit, identifier, password = PASSWORD) => {
  await visit.open("/account");
  await visit.see("sign-in");
  await visit.send({ identifier, password });
  await visit.see("account");
};
