/** As a browser without script does it: a link's page, then its form. */

import type { ServerProcess } from "./server-process.ts";

/** What the page showed, once the answer is taken. */
export async function answerOnPage(server: ServerProcess, holdId: string, action: string): Promise<string> {
  const made = await fetch(`${server.url}/v1/holds/${holdId}/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: "{}",
  });
  const { url } = (await made.json()) as { readonly url: string };
  const { pathname, search } = new URL(url);
  const page = await (await fetch(server.url + pathname + search)).text();
  const shown = /name="_shown" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const reply = await fetch(`${server.url}${pathname}/answer${search}`, {
    method: "POST",
    body: new URLSearchParams({ _action: action, _shown: shown }),
    redirect: "manual",
  });
  if (reply.status !== 303) throw new Error(`the page said ${reply.status}`);
  return page;
}
