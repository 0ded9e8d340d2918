// An authenticator for passkeys, which the browser makes up (WebAuthn).

/**
 * Gives the window an authenticator that does what its user would: unlocks. It would also take, at once, the passkey
 * that a sign-in page offers in its field; only a story of that (`offers`) lets the browser make such offers.
 */
export const plugIn = async (visit, { offers = false } = {}) => {
  if (!offers) {
    await visit.tab.addInitScript(() => {
      if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  }
  const devtools = await visit.tab.context().newCDPSession(visit.tab);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};
