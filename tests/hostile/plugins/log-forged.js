// expect: issued : lines that look like others, and move the cursor
export const getCustomJwtClaims = () => {
  console.log("one\n2026-01-01T00:00:00Z ERROR claimsmith: forged\u001b[2J\u001b]0;title\u0007\u202e\u2028\0");
  return {};
};
