/**
 * Where a cell of the matrix takes place: whole servers on real ports over a real database, a mailbox, a receiver of webhooks and
 * a browser. Only the clock is the test's. What is placed on one server may be answered on another.
 */

import { mkdtempSync, rmSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Holdpoint } from "@holdpoint/sdk";
import { createAdaptorServer } from "@hono/node-server";
import type { BrowserContext, Page } from "playwright-core";
import { emailChannel } from "../../packages/server/src/channels/email/channel.ts";
import { upstreamAt } from "../../packages/server/src/channels/upstream/upstream.ts";
import { TABLE } from "../../packages/server/src/domains.ts";
import type { Store } from "../../packages/server/src/store/port.ts";
import { openPostgresStore } from "../../packages/server/src/store/postgres/open.ts";
import { openSqliteStore } from "../../packages/server/src/store/sqlite/open.ts";
import { MailServer } from "../../packages/server/src/testing/mail-server.ts";
import { ManualClock } from "../../packages/server/src/testing/manual-clock.ts";
import { testDatabase } from "../../packages/server/src/testing/postgres/test-database.ts";
import { Receiver } from "../../packages/server/src/testing/receiver.ts";
import { type TestServer, testServer } from "../../packages/server/src/testing/test-server.ts";
import { loadWebPages } from "../../packages/server/src/web-pages.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { addChatPeople, botsAt, type Chats, openChats } from "./chat-doors.ts";
import { Upstream } from "./upstream.ts";

export type KeyName = keyof TestServer["keys"];

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries and asserts on it.
export type Wire = any;

export interface Reply {
  readonly status: number;
  readonly body: Wire;
}

/** A server and its address. */
export interface Site extends AsyncDisposable {
  readonly url: string;
  readonly test: TestServer;
  call(method: string, path: string, key?: KeyName, body?: unknown): Promise<Reply>;
  client(key: KeyName): Holdpoint;
}

export interface World extends AsyncDisposable {
  /** Where holds are placed and waited on. */
  readonly placing: Site;
  /** Where they are answered. */
  readonly answering: Site;
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  readonly mail: MailServer;
  readonly chats: Chats;
  /** The agent behind the proxy. */
  readonly upstream: Upstream;
  /** An operator's browser, signed in to the console. */
  consolePage(): Promise<Page>;
  /** The browser of whoever is sent a link. */
  reviewerPage(): Promise<Page>;
  /** Until everything that is due to be sent has been. */
  settle(): Promise<void>;
}

export const READER = "ada@example.com";
/** Short, because a server that shares its database looks around every second of it. */
export const TIMEOUT = "1m";
export const TIMEOUT_MS = 60_000;
/** Whoever has not answered by then is told by e-mail. */
export const MAIL_AFTER_MS = 5_000;
export const LADDER = [{ after: "5s", channel: "mail", to: READER }] as const;
export const PROXY = "payer";

export async function sqliteWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-matrix-"));
  const open = async () => [openSqliteStore({ path: join(folder, "matrix.db"), indexes: TABLE })];
  return worldOver(open, () => rmSync(folder, { recursive: true, force: true }));
}

/** Two servers that share a database: what is placed on one is answered on the other. */
export async function postgresWorld(): Promise<World> {
  const database = await testDatabase();
  const open = (clock: ManualClock) =>
    Promise.all([1, 2].map(() => openPostgresStore({ url: database.url, indexes: TABLE, clock })));
  return worldOver(open, () => database[Symbol.asyncDispose]());
}

/** One server a store. */
async function worldOver(
  open: (clock: ManualClock) => Promise<readonly Store[]>,
  clean: () => void | PromiseLike<void>,
): Promise<World> {
  const [mail, receiver] = await Promise.all([MailServer.start(), Receiver.start()]);
  const sites: Site[] = [];
  const settle = async () => {
    for (const { test } of sites) await test.server.sender.idle();
  };
  // The pages show times, and the browser's clock is the machine's.
  const clock = new ManualClock({ startAt: Date.now(), settle });
  const upstream = await Upstream.start(() => clock.now() + TIMEOUT_MS);
  const chats = await openChats(clock);
  for (const store of await open(clock)) sites.push(await siteOver(store, clock, mail, chats, upstream));
  const placing = sites[0] as Site;
  const answering = sites.at(-1) as Site;
  await addChatPeople(placing, chats);
  const sees = { url: receiver.url("/webhook"), events: ["hold.decided", "hold.expired", "hold.cancelled"] };
  await placing.call("POST", "/v1/webhooks", "admin", sees);

  const contexts: BrowserContext[] = [];
  const newPage = async () => {
    const context = await (await openBrowser()).newContext();
    contexts.push(context);
    context.setDefaultTimeout(10_000);
    return context.newPage();
  };
  const operatorPage = async () => {
    const page = await newPage();
    // As an operator sets it who wants no time to take an answer back: it counts at once.
    await page.addInitScript(() => localStorage.setItem("holdpoint.undo-seconds", "0"));
    const who = { name: "ada", role: "operator" };
    const { body } = await answering.call("POST", "/v1/sign-ins", "admin", who);
    await page.goto(onSite(body.url, answering));
    return page;
  };
  let operator: Promise<Page> | undefined;
  let reviewer: Promise<Page> | undefined;
  return {
    ...{ placing, answering, clock, receiver, mail, chats, upstream, settle },
    consolePage() {
      operator ??= operatorPage();
      return operator;
    },
    reviewerPage() {
      reviewer ??= newPage();
      return reviewer;
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      for (const site of sites) await site[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      for (const chat of Object.values(chats)) await chat[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await clean();
    },
  };
}

async function siteOver(
  store: Store,
  clock: ManualClock,
  mail: MailServer,
  chats: Chats,
  upstream: Upstream,
): Promise<Site> {
  let answer: (request: Request, env: object) => Response | Promise<Response> = () => new Response();
  const http = createAdaptorServer({ fetch: (request, env) => answer(request, env) }) as HttpServer;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const publicUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { hostname, port } = new URL(mail.url);
  const smtp = { host: hostname, port: Number(port), isSecure: false, requireTls: false };
  const from = { name: "Holdpoint", address: "holdpoint@example.com" };
  const pages = await loadWebPages();
  if (pages === undefined) throw new Error("the pages have not been built: npm run prepare");
  const test = await testServer({
    ...{ store, clock, publicUrl, pages },
    channels: { mail: emailChannel({ server: smtp, from, addressOf: () => undefined }) },
    chats: botsAt(chats, clock),
    platform: {
      retryPolicy: null,
      notify: {
        allow: [READER],
        channels: { mail: [READER], telegram: [], slack: [], discord: [] },
        kinds: { telegram: "telegram", slack: "slack", discord: "discord" },
        defaultChannel: "mail",
      },
    },
    agUi: {
      proxies: {
        [PROXY]: {
          ...{ ask: upstreamAt({ url: upstream.url, headers: {} }, clock), ladder: LADDER },
          ...{ autoResume: true, idempotent: false, links: "server" },
        },
      },
    },
  });
  answer = test.server.app.fetch;
  return {
    url: publicUrl,
    test,
    async call(method, path, key, body) {
      const reply = await fetch(publicUrl + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${test.keys[key]}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const isJson = reply.headers.get("content-type")?.includes("json") === true;
      return { status: reply.status, body: isJson ? await reply.json() : await reply.text() };
    },
    client: (key) => new Holdpoint({ url: publicUrl, apiKey: test.keys[key] }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      await test[Symbol.asyncDispose]();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Links name one server; behind a load balancer any would do. */
export function onSite(url: string, site: Site): string {
  const { pathname, search } = new URL(url);
  return site.url + pathname + search;
}
