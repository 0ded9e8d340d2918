// The component's export. The prelude comes first, so that the author's module finds its globals.
import { run } from "/claimsmith/transform.js";
import * as plugin from "/plugin.js";

const main = plugin.transformWebhook;
if (typeof main !== "function") throw new TypeError("transformWebhook is not a function: export one, or declare one");

export const transform = (delivery) => run(main, delivery);
