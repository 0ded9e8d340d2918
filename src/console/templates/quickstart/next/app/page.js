// The home page: greets the user, and calls the API with their access token.
import { session } from "../lib/oidc";

async function callApi(accessToken) {
  const url = process.env.API_URL;
  if (!url) return "No API is configured.";
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` }, cache: "no-store" });
    return `The API answered ${answer.status}: ${await answer.text()}`;
  } catch {
    return `The API does not answer at ${url}.`;
  }
}

export default async function Home() {
  const { name, accessToken } = await session();
  if (!name) return <p><a href="/sign-in">Sign in</a></p>;
  return (
    <>
      <p>Hello {name}. <a href="/sign-out">Sign out</a></p>
      <pre>{await callApi(accessToken)}</pre>
    </>
  );
}
