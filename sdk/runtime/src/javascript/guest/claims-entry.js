// The component's export. The prelude comes first, so that the author's module finds its globals.
import { run } from "/claimsmith/claims.js";
import * as plugin from "/plugin.js";

const main = plugin.getCustomJwtClaims ?? plugin.default;
if (typeof main !== "function") throw new TypeError("getCustomJwtClaims is not a function: export one, or declare one");

export const getCustomJwtClaims = (request) => run(main, request);
