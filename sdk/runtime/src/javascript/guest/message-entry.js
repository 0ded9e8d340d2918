// The component's export. The prelude comes first, so that the author's module finds its globals.
import { run } from "/claimsmith/message.js";
import * as plugin from "/plugin.js";

const main = plugin.composeMessage;
if (typeof main !== "function") throw new TypeError("composeMessage is not a function: export one, or declare one");

export const compose = (message) => run(main, message);
