// The button of a passkey on the page that asks to confirm one's identity. Without passkeys in the browser, it stays
// hidden.
const button = document.querySelector("[data-passkey-options]");
const form = document.getElementById("confirm");
const failed = document.getElementById("passkey-error");

async function use() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(button.dataset.passkeyOptions));
  const credential = await navigator.credentials.get({ publicKey });
  form.elements.namedItem("confirm.passkey").value = JSON.stringify(credential);
  form.submit();
}

if (button && window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    failed.hidden = true;
    button.disabled = true;
    try {
      await use();
    } catch {
      failed.hidden = false;
      button.disabled = false;
    }
  });
}
