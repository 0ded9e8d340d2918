// Sends the only form of the page by itself. A field of it could be called "submit" and hide its own method.
HTMLFormElement.prototype.submit.call(document.forms[0]);
