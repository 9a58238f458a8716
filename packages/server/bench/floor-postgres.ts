/** What one would write by hand on a weekend: a row a hold, a pool, NOTIFY for who waits. No keys, no log, no timers. */

import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";
import { announce } from "./announce.ts";

const connectionString = process.env["HOLDPOINT_DATABASE_URL"] ?? "";
const pool = new pg.Pool({ connectionString, max: 16 });
const listener = new pg.Client({ connectionString });
await listener.connect();
await listener.query(
  "CREATE TABLE IF NOT EXISTS public.floor_hold (id text PRIMARY KEY, status text, body text)",
);
await listener.query("LISTEN floor");
const waiters = new Map<string, () => void>();
listener.on("notification", ({ payload = "" }) => waiters.get(payload)?.());

const PLACE = { name: "place", text: "INSERT INTO public.floor_hold VALUES ($1, 'open', $2)" };
const READ = { name: "read", text: "SELECT status FROM public.floor_hold WHERE id = $1" };
const ANSWER = {
  name: "answer",
  text: `WITH done AS (UPDATE public.floor_hold SET status = 'decided', body = $2 WHERE id = $1 AND status = 'open' RETURNING id)
    SELECT pg_notify('floor', id) FROM done`,
};

let last = 0;
const server = createServer(async (request, response) => {
  const [, , , id = "", what] = (request.url ?? "").split(/[/?]/);
  const reply = (body: object) => response.writeHead(200).end(JSON.stringify(body));
  if (request.method === "GET") {
    const heard = new Promise<void>((resolve) => waiters.set(id, resolve));
    const { rows } = await pool.query<{ status: string }>({ ...READ, values: [id] });
    if (rows[0]?.status !== "decided") await heard;
    waiters.delete(id);
    return reply({ id, status: "decided" });
  }
  const body = await textOf(request);
  if (what === "answer") {
    await pool.query({ ...ANSWER, values: [id, body] });
    return reply({ id, status: "decided" });
  }
  last += 1;
  const fresh = `${process.pid}-${last}`;
  await pool.query({ ...PLACE, values: [fresh, body] });
  return reply({ id: fresh, status: "open" });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

announce(server);
