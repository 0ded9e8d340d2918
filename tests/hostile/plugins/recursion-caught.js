// expect: failed : fills its stack over and over and catches it
export const getCustomJwtClaims = () => {
  let caught = 0;
  const dive = () => dive() + 1;
  for (let at = 0; at < 20; at += 1) {
    try {
      dive();
    } catch {
      caught += 1;
    }
  }
  return { caught };
};
