/**
 * A server that keeps holds in memory and fails on demand: it drops requests, loses replies, cuts streams. For the tests of the
 * client; it knows no rules but that a hold ends once and that a key finds its hold.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HoldOut, OutcomeOut } from "../../index.ts";
import type { JsonObject } from "../../rules/index.ts";
import { errorOut, holdOut, type Placed } from "./fake-replies.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** `drop`: not done, no reply · `lose`: done, no reply · otherwise a reply instead of the work. */
export type Mishap = "drop" | "lose" | Reply;

interface Planned {
  readonly matches: (seen: Seen) => boolean;
  readonly mishap: Mishap;
  left: number;
}

const DECIDER = { kind: "session", id: "ses_1", name: "mara" } as const;
const AT = "2026-03-01T09:30:00.000Z";

export class FakeServer {
  readonly seen: Seen[] = [];
  readonly holds = new Map<string, HoldOut>();
  /** Open event streams, oldest first. */
  readonly streams: ServerResponse[] = [];
  /** Polls that wait for an outcome. */
  readonly polls = new Set<() => void>();
  pollsMax = 0;
  /** Whether a stream says at once where it starts. */
  greets = true;
  readonly #keys = new Map<string, string>();
  readonly #log: { readonly position: number; readonly holdId: string; readonly type: string }[] = [];
  readonly #planned: Planned[] = [];
  readonly #server: Server;
  #position = 100;

  static async start(): Promise<FakeServer> {
    const fake = new FakeServer();
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next `times` requests that fit meet with this. */
  plan(fits: string | RegExp, mishap: Mishap, times = 1): void {
    const matches = ({ method, path }: Seen) =>
      typeof fits === "string" ? `${method} ${path}` === fits : fits.test(`${method} ${path}`);
    this.#planned.push({ matches, mishap, left: times });
  }

  calls(fits: RegExp): readonly Seen[] {
    return this.seen.filter(({ method, path }) => fits.test(`${method} ${path}`));
  }

  /** Ends a hold as somebody else would, and tells the streams and polls unless told to keep quiet. */
  settle(holdId: string, outcome: OutcomeOut, how: { readonly quietly?: boolean } = {}): void {
    const hold = this.holds.get(holdId);
    if (hold === undefined || hold.status !== "open") throw new Error(`${holdId} is not open`);
    this.holds.set(holdId, { ...hold, status: outcome.kind, outcome, version: hold.version + 1 });
    if (how.quietly === true) return;
    this.#position += 1;
    this.#log.push({ position: this.#position, holdId, type: `hold.${outcome.kind}` });
    for (const stream of this.streams) stream.write(this.#frame(this.#log.length - 1));
    for (const answer of [...this.polls]) answer();
  }

  decide(holdId: string, action = "approve", data: JsonObject = {}): void {
    this.settle(holdId, { kind: "decided", action, data, by: DECIDER, door: "console", at: AT });
  }

  /** Answers all waiting polls with the hold as it is, as a server does when their time is up. */
  endPolls(): void {
    for (const answer of [...this.polls]) answer();
  }

  cutStreams(): void {
    for (const stream of this.streams.splice(0)) stream.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await read(request);
    this.seen.push(seen);
    const mishap = this.#mishapFor(seen);
    if (mishap === undefined && seen.path === "/v1/events") {
      this.#stream(seen, response);
      return;
    }
    const answer =
      mishap === "drop" || typeof mishap === "object" ? mishap : await this.#work(seen, response);
    if (typeof answer === "string" || mishap === "lose") request.socket.destroy();
    else send(response, answer);
  }

  #mishapFor(seen: Seen): Mishap | undefined {
    const planned = this.#planned.find(({ left, matches }) => left > 0 && matches(seen));
    if (planned === undefined) return undefined;
    planned.left -= 1;
    return planned.mishap;
  }

  async #work(seen: Seen, response: ServerResponse): Promise<Reply> {
    const [, , noun, id = "", verb] = seen.path.split("/");
    if (noun === "holds" && seen.method === "POST" && id === "") return this.#place(seen);
    if (noun === "holds" && id === "") {
      const holds = [...this.holds.values()].filter(({ key }) => key === seen.query.get("key")).reverse();
      return { status: 200, body: { holds } };
    }
    const hold = this.holds.get(id);
    if (noun !== "holds" || hold === undefined) return { status: 404, body: errorOut(404, "not_found") };
    if (verb === "answer" || verb === "cancel") return this.#end(hold, verb, seen);
    if (verb === "claim") return this.#claim(hold, seen);
    if (seen.query.has("wait") && hold.status === "open") await this.#poll(response);
    return { status: 200, body: this.holds.get(hold.id) };
  }

  #place({ body, headers }: Seen): Reply {
    const key = (body["key"] ?? headers["idempotency-key"]) as string;
    const before = this.holds.get(this.#keys.get(key) ?? "");
    if (before !== undefined) return { status: 200, body: before };
    const hold = holdOut(`hold_${this.holds.size + 1}`, body as unknown as Placed, key);
    this.#keys.set(key, hold.id);
    this.holds.set(hold.id, hold);
    return { status: 201, body: hold };
  }

  #poll(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const answer = () => {
        this.polls.delete(answer);
        resolve();
      };
      this.polls.add(answer);
      this.pollsMax = Math.max(this.pollsMax, this.polls.size);
      response.on("close", answer);
    });
  }

  #end(hold: HoldOut, verb: "answer" | "cancel", { body }: Seen): Reply {
    if (hold.status !== "open") {
      const more = { hold_id: hold.id, outcome: hold.outcome };
      return { status: 409, body: errorOut(409, "already_settled", more) };
    }
    if (verb === "answer") this.decide(hold.id, body["action"] as string, (body["data"] ?? {}) as JsonObject);
    else this.settle(hold.id, { kind: "cancelled", cancelled_by: { kind: "key", id: "agent" }, at: AT });
    return { status: 200, body: this.holds.get(hold.id) };
  }

  #claim(hold: HoldOut, { path, headers, body }: Seen): Reply {
    const id = `claim_${headers["idempotency-key"]}`;
    if (path.endsWith("/done")) {
      const { ok, detail } = body as { ok: boolean; detail?: JsonObject };
      const state = ok ? ("done" as const) : ("failed" as const);
      const claim = { ...hold.claim!, state, ...(detail === undefined ? {} : { detail }) };
      this.holds.set(hold.id, { ...hold, claim });
      return { status: 200, body: claim };
    }
    if (hold.claim !== undefined && hold.claim.id !== id) {
      return { status: 409, body: errorOut(409, "claim_taken") };
    }
    const when = { claimed_at: AT, until: AT };
    const claim = { id, hold_id: hold.id, state: "claimed", claimed_by: "agent", ...when } as const;
    this.holds.set(hold.id, { ...hold, claim });
    return { status: 201, body: claim };
  }

  #stream({ headers }: Seen, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const after = Number(headers["last-event-id"] ?? this.#position);
    response.write(this.greets ? `id: ${after}\n: connected\n\n` : ": connected\n\n");
    for (const [index, { position }] of this.#log.entries()) {
      if (position > after) response.write(this.#frame(index));
    }
    this.streams.push(response);
    response.on("close", () => {
      const at = this.streams.indexOf(response);
      if (at >= 0) this.streams.splice(at, 1);
    });
  }

  #frame(index: number): string {
    const { position, holdId, type } = this.#log[index]!;
    const chain = { seq: 2, at: AT, actor: "session:ses_1", data: {}, previous: "", hash: "h" };
    const data = { position, stream: `hold:${holdId}`, hold_id: holdId, type, ...chain };
    return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

async function read(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return {
    method: request.method ?? "",
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body,
  };
}

function send(response: ServerResponse, { status, body = {}, headers = {} }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
