// What a screen reader is told, and who can read it: axe-core, by the rules of WCAG 2.2 AA. It runs in a world of its
// own, so the page's Content-Security-Policy stays as it is.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const RUN = `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ["violations"] }).then(
  ({ violations, passes }) => ({
    passed: passes.length,
    violations: violations.map(({ id, help, nodes }) =>
      id + ": " + help + ": " + nodes.map((node) => node.html + " (" + node.failureSummary + ")").join("; ")),
  }))`;

/** What the page of this DevTools session does not fulfil. */
export const violations = async (devtools) => {
  const { frameTree } = await devtools.send("Page.getFrameTree");
  const world = { frameId: frameTree.frame.id, worldName: "accessibility" };
  const { executionContextId: contextId } = await devtools.send("Page.createIsolatedWorld", world);
  const evaluate = async (expression) => {
    const how = { contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", { expression, ...how });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await evaluate(`${AXE}; undefined`);
  const found = await evaluate(RUN);
  if (found.passed === 0) throw new Error("no rule was looked at");
  return found.violations;
};
