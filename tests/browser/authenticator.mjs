// An authenticator for passkeys, which the browser makes up (WebAuthn).

/** Gives the window an authenticator that does what its user would: unlocks. */
export const plugIn = async (visit) => {
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
