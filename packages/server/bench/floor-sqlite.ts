/**
 * F2: what the same cycle costs when nothing but durability is promised. Bare `node:http`; a place is one row, an answer
 * another write of it, both group-committed with `synchronous=FULL`; waiters sit in a Map. No keys, log, timers or rules.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { announce } from "./announce.ts";

const db = new DatabaseSync(join(process.argv[2] ?? ".", "floor.db"));
db.exec(
  "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE hold (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID",
);
const insert = db.prepare("INSERT INTO hold VALUES (?, ?)");
const update = db.prepare("UPDATE hold SET body = ? WHERE id = ?");
const select = db.prepare("SELECT body FROM hold WHERE id = ?");

let queue: { run: () => void; done: () => void }[] = [];
let scheduled = false;
function commit(run: () => void): Promise<void> {
  return new Promise((done) => {
    queue.push({ run, done });
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      const batch = queue;
      queue = [];
      scheduled = false;
      db.exec("BEGIN");
      for (const { run: write } of batch) write();
      db.exec("COMMIT");
      for (const { done: tell } of batch) tell();
    });
  });
}

const waiters = new Map<string, ((body: string) => void)[]>();
let next = 0;

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?");
  const id = path.split("/")[3] ?? "";
  const send = (status: number, body: string) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  if (request.method === "GET") {
    const body = String(select.get(id)?.["body"]);
    if (body.includes('"status":"decided"')) return send(200, body);
    waiters.set(id, [...(waiters.get(id) ?? []), (settled) => send(200, settled)]);
    return;
  }
  let text = "";
  for await (const chunk of request) text += chunk;
  const given = JSON.parse(text);
  if (path.endsWith("/answer")) {
    const body = JSON.stringify({
      ...JSON.parse(String(select.get(id)?.["body"])),
      status: "decided",
      outcome: given,
    });
    await commit(() => update.run(body, id));
    for (const tell of waiters.get(id) ?? []) tell(body);
    waiters.delete(id);
    return send(200, body);
  }
  next += 1;
  const placed = `hold_${String(next).padStart(12, "0")}`;
  const body = JSON.stringify({ id: placed, status: "open", ...given });
  await commit(() => insert.run(placed, body));
  send(201, body);
}

announce(createServer((request, response) => void handle(request, response)));
