// expect: failed : a key that some readers of JSON take for their own
export const getCustomJwtClaims = () => {
  return { a: { "$serde_json::private::RawValue": "[".repeat(3000) + "]".repeat(3000) } };
};
