// expect: failed : a number that is a text of ten thousand digits
export const getCustomJwtClaims = () => {
  return { a: { "$serde_json::private::Number": "9".repeat(10000) } };
};
