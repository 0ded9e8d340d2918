// Buttons that show what is typed as a password. Without JavaScript there are none.
for (const button of document.querySelectorAll("[data-reveal]")) {
  const input = document.getElementById(button.dataset.reveal);
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.addEventListener("click", () => {
    show(input.type === "password");
    input.focus();
  });
  // It is sent and remembered as a password.
  input.form.addEventListener("submit", () => show(false));
  button.hidden = false;
}
