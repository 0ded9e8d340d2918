// Sends the form that hands a subject token to an application. Without this there is its button.
document.querySelector("form[data-hand-over]")?.requestSubmit();
