// expect: issued : waits for servers that never answer, and answers all the same
export const getCustomJwtClaims = async () => {
  for (let at = 0; at < 16; at += 1) await fetch("https://hostile.invalid/").catch(() => {});
  return { waited: true };
};
