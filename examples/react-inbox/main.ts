/** The app's server: it serves the page, makes tokens for its users, and has an agent that asks one of them. */

import { createServer, type ServerResponse } from "node:http";
import { Holdpoint } from "@holdpoint/sdk";
import { createServer as createVite } from "vite";

const hp = new Holdpoint();
const port = Number(process.env["PORT"] ?? 4300);
// A real app reads its own sign-in here.
const user = "ada";

const pages = await createVite({
  root: import.meta.dirname,
  appType: "spa",
  server: { middlewareMode: true },
});

async function giveToken(response: ServerResponse): Promise<void> {
  const { token } = await hp.makeBrowserToken({ person: user, expiresIn: "15m" });
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ url: await hp.serverUrl(), token, person: user }));
}

const server = createServer((request, response) => {
  if (request.method !== "POST" || request.url !== "/api/holdpoint") {
    pages.middlewares(request, response);
    return;
  }
  giveToken(response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end();
  });
});

server.listen(port, "127.0.0.1", async () => {
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  console.log(`the inbox is at http://127.0.0.1:${bound}/`);
  await hp.place({
    key: "react-inbox:1042",
    type: "approval",
    prompt: "Refund 80 EUR for order 1042 to Ada Park?",
    context: { order: "1042", amount: "80 EUR", customer: "Ada Park" },
    // With an app key, this is whose inbox has the question.
    metadata: { person: user },
  });
});
