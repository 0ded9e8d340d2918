// expect: failed : writes the same megabytes again and again, in calls that nothing interrupts
export const getCustomJwtClaims = () => {
  const bytes = new Uint8Array(32 << 20);
  for (let at = 0; ; at += 1) bytes.fill(at);
};
