// expect: issued : lines that go back to their beginning and write another one there
export const getCustomJwtClaims = () => {
  console.log("harmless\r2026-01-01T00:00:00Z ERROR claimsmith: forged\rdata: {}\r\revent: forged");
  return {};
};
