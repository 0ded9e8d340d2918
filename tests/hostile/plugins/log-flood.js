// expect: issued : writes ten thousand lines
export const getCustomJwtClaims = () => {
  for (let at = 0; at < 10000; at += 1) console.log("");
  return {};
};
