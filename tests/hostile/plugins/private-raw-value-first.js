// expect: failed : the same as the first key of the answer
export const getCustomJwtClaims = () => {
  return { "$serde_json::private::RawValue": "[".repeat(3000) + "]".repeat(3000) };
};
