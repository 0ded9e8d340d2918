// `response_mode=form_post`: the answer goes to the application by itself, or by a button where there is no JavaScript.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

for (const javaScript of [true, false]) {
  const how = javaScript ? "by itself" : "by a button without JavaScript";
  story(`a form takes the answer to the application ${how}`, { javaScript }, async (visit, { server, application }) => {
    const username = `posted_${javaScript}`;
    const id = await server.user({ username, password: PASSWORD });
    const client = await application.register(server);
    const request = application.request(server, client, { response_mode: "form_post" });
    await visit.open(request.url);
    await visit.see("sign-in");
    await visit.send({ identifier: username, password: PASSWORD });
    if (!javaScript) {
      await visit.see("form-post");
      await visit.tab.getByRole("button", { name: "Continue" }).click();
    }
    assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
    assert.equal(new URL(visit.tab.url()).search, "", "nothing of it stands in the address");
  });
}
