// Forms that a passkey fills in (WebAuthn): the button asks the server what to ask, and the browser for the answer.
const canPasskeys = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
// A browser answers one question at a time: the button ends the offer in the field of the identifier.
let offer = new AbortController();

async function ask(form, mediation) {
  const answer = await fetch(form.dataset.options, { method: "POST" });
  if (!answer.ok) throw new Error(String(answer.status));
  const { verificationId, registrationOptions, authenticationOptions } = await answer.json();
  const { signal } = offer;
  const credential = registrationOptions
    ? await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(registrationOptions),
        signal,
      })
    : await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(authenticationOptions),
        signal,
        mediation,
      });
  form.elements.verification_id.value = verificationId ?? "";
  form.elements.payload.value = JSON.stringify(credential);
  form.submit();
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  const failed = document.getElementById("passkey-error");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    offer.abort();
    offer = new AbortController();
    failed.hidden = true;
    try {
      await ask(form, "optional");
    } catch {
      failed.hidden = false;
    }
  });
  form.hidden = !canPasskeys;
  // The passkey that was shown belongs to nobody (any more): the browser, where it can, stops offering it.
  if (form.dataset.unknown) {
    window.PublicKeyCredential?.signalUnknownCredential?.({
      rpId: location.hostname,
      credentialId: form.dataset.unknown,
    }).catch(() => {});
  }
  if (canPasskeys && form.dataset.passkey === "offer") {
    PublicKeyCredential.isConditionalMediationAvailable?.()
      .then((isPossible) => isPossible && ask(form, "conditional"))
      .catch(() => {});
  }
}

// The account page names all passkeys of its user: the browser, where it can, stops offering others for them.
const accepted = document.querySelector("[data-accepted-passkeys]");
if (accepted) {
  window.PublicKeyCredential?.signalAllAcceptedCredentials?.({
    rpId: location.hostname,
    userId: accepted.dataset.user,
    allAcceptedCredentialIds: accepted.dataset.acceptedPasskeys.split(" ").filter(Boolean),
  }).catch(() => {});
}
