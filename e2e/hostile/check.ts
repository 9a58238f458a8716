/** Sends hostile requests to a server and says everything that is wrong with how it took them (G11). */

import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Operation, OperationSet } from "@holdpoint/protocol";
import { TABLE } from "../../packages/server/src/domains.ts";
import type { Store } from "../../packages/server/src/store/port.ts";
import { DATABASE } from "../../packages/server/src/testing/fresh-database-url.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import { type HostileRequest, hostileRequests, type Subject } from "./requests.ts";

/** What no declaration has to name: it can happen before an operation is reached. */
const BEFORE_ANY_OPERATION = ["not_found", "method_not_allowed"];

/** A database takes its time over an answer; only what waits on purpose takes this long. */
const DATABASE_PATIENCE_MS = 1_000;

/** Everything wrong, in words; empty is good. */
export async function assail(
  test: TestServer,
  set: OperationSet,
  operation: Operation,
  subject: Subject,
  everyNth?: number,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const requests = [...hostileRequests(operation, subject, everyNth)];
  const [never, perhaps] = [requests.filter((one) => one.never), requests.filter((one) => !one.never)];
  const before = await census(test.store);
  for (const request of never) {
    const reply = await send(test, request);
    if (reply.status < 400) wrong.push(`${request.what}: taken with ${reply.status}`);
    else wrong.push(...(await troubles(request.what, reply, set, operation)));
  }
  const after = await census(test.store);
  if (before !== after) wrong.push(`something was written: ${before} became ${after}`);
  for (const request of perhaps) {
    // What the sender notes about deliveries of earlier requests is not written by this one.
    await test.server.sender.idle();
    const held = await test.store.lastPosition();
    const reply = await send(test, request);
    if (reply.status < 400) continue;
    wrong.push(...(await troubles(request.what, reply, set, operation)));
    if ((await test.store.lastPosition()) !== held) wrong.push(`${request.what}: refused and written`);
  }
  return wrong;
}

async function send(test: TestServer, request: HostileRequest): Promise<Response> {
  const { method, path, headers, body } = request;
  let isOver = false;
  const asked = test.server.app.request(
    new Request(`http://localhost${path}`, { method, headers, body: body ?? null }),
  );
  const reply = Promise.resolve(asked).finally(() => {
    isOver = true;
  });
  // Whoever waits for something to happen is told that nothing did.
  if (process.env[DATABASE] === undefined)
    for (let turn = 0; turn < 20 && !isOver; turn += 1) await nextTurn();
  else await Promise.race([reply, pause(DATABASE_PATIENCE_MS)]);
  if (!isOver) await test.clock.advance(3_600_000);
  const response = await reply;
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
  return response;
}

async function troubles(
  what: string,
  reply: Response,
  { errors }: OperationSet,
  operation: Operation,
): Promise<readonly string[]> {
  const { status } = reply;
  const text = await reply.text();
  if (status >= 500) return [`${what}: ${status} ${text.slice(0, 300)}`];
  const type = reply.headers.get("content-type");
  if (!type?.startsWith(errors.media)) return [`${what}: ${status} comes as ${type}`];
  const body = JSON.parse(text);
  const read = errors.body.safeParse(body);
  if (!read.success)
    return [`${what}: ${status} ${text.slice(0, 300)} is not declared: ${read.error.message}`];
  if (errors.codeOf === undefined) return [];
  const code = errors.codeOf(body);
  const known = [...operation.errors, ...(errors.always ?? []), ...BEFORE_ANY_OPERATION];
  if (code === undefined || !known.includes(code))
    return [`${what}: ${operation.id} does not declare ${code}`];
  const declared = errors.table[code]?.status;
  return declared === undefined || declared === status
    ? []
    : [`${what}: ${code} is ${declared}, not ${status}`];
}

const WORKSPACES = ["default", "elsewhere", "log", ""];

/** How much is remembered, as text: events by position, everything else by count and versions. */
export async function census(store: Store): Promise<string> {
  const counts: string[] = [`events ${await store.lastPosition()}`];
  for (const workspace of WORKSPACES) {
    for (const kind of TABLE.kinds) {
      const found = await store.query({ workspace, kind, limit: 10_000 });
      const versions = found.reduce((sum, { version }) => sum + version, 0);
      if (found.length > 0) counts.push(`${workspace}/${kind} ${found.length} v${versions}`);
    }
    const rows = await store.outbox({ workspace, limit: 10_000 });
    if (rows.length > 0) counts.push(`${workspace} outbox ${rows.length}`);
  }
  return counts.join(", ");
}
