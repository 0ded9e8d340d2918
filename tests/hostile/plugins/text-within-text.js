// expect: failed : an answer that is a text of JSON within a text of JSON
const within = () => {
  let text = "1";
  for (let level = 0; level < 8; level += 1) {
    text = JSON.stringify({ "$serde_json::private::RawValue": "[".repeat(120) + text + "]".repeat(120) });
  }
  return JSON.parse(text);
};
export const getCustomJwtClaims = async () => ({ a: within() });
