/** The page: it asks the app's server for a token, and talks to Holdpoint with it. */

import { HoldpointProvider, Inbox } from "@holdpoint/react";
import "@holdpoint/react/style.css";
import { createRoot } from "react-dom/client";

interface Session {
  readonly url: string;
  readonly token: string;
  readonly person: string;
}

async function session(): Promise<Session> {
  const reply = await fetch("/api/holdpoint", { method: "POST" });
  if (!reply.ok) throw new Error("The app's server gives no token.");
  return (await reply.json()) as Session;
}

const { url, person } = await session();

createRoot(document.getElementById("app") as HTMLElement).render(
  <HoldpointProvider url={url} token={async () => (await session()).token} person={person}>
    <Inbox title="Questions for you" />
  </HoldpointProvider>,
);
