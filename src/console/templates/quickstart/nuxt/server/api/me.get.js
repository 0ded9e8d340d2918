// The signed-in user, and what the API answers to their access token. Tokens stay on the server.
const callApi = async (accessToken) => {
  const url = process.env.API_URL;
  if (!url) return "No API is configured.";
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
    return `The API answered ${answer.status}: ${await answer.text()}`;
  } catch {
    return `The API does not answer at ${url}.`;
  }
};

export default defineEventHandler(async (event) => {
  const { data } = await sessionOf(event);
  return data.name ? { name: data.name, answer: await callApi(data.accessToken) } : {};
});
