/**
 * AG-UI's face in the server: a demo agent to try clients against, and agents of others, which the operator put behind it.
 * Agents written for Holdpoint mount the same handler in their own app.
 */

import { type AgUiHandler, createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import type { Code } from "@holdpoint/protocol";
import type { InterruptForm } from "@holdpoint/protocol/agui";
import type { FileClient, HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import type { Hono } from "hono";
import { afterLongText, CONVERSATION_LIMITS } from "../../faces/http/body.ts";
import type { Face } from "../../faces/http/face.ts";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { HttpTrouble } from "../../faces/http/respond.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Clock } from "../../system/clock.ts";
import type { Ids } from "../../system/ids.ts";
import type { ProxyDesk } from "../proxy/desk.ts";
import { mountProxies } from "../proxy/index.ts";
import { checked } from "./checked.ts";
import { agUiDialect } from "./errors.ts";
import { agUiSet, demoCapabilities, demoFile, demoInterrupts, runDemo, runDraftDemo } from "./operations.ts";
import { demoAgent } from "./scenarios.ts";

export interface AgUiDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** The demo's own client, in the workspace of whoever calls it. */
  client(workspace: string, principal: Principal): HoldClient & ThreadClient & FileClient;
  onFault(error: unknown): void;
}

/** Callers whose threads are kept apart in memory; the oldest are made again when they come back. */
const HANDLERS_MAX = 1000;

export function agUiFace(deps: AgUiDeps, proxies: ProxyDesk): Face {
  return {
    set: agUiSet,
    dialect: agUiDialect,
    paths: ["/agui"],
    mount: (app, options) => {
      mountDemo(app, new Demos(deps), { ...options, limits: CONVERSATION_LIMITS });
      mountProxies(app, proxies, { ...options, limits: CONVERSATION_LIMITS });
    },
  };
}

function mountDemo(app: Hono, demos: Demos, options: MountOptions): void {
  mount(app, runDemo, (call) => demos.run(call, undefined, call.query.interruptForm), options);
  mount(app, runDraftDemo, (call) => demos.run(call, "draft"), options);
  mount(app, demoFile, (call) => demos.file(call, `files?${new URLSearchParams(call.query)}`), options);
  mount(app, demoCapabilities, (call) => demos.read(call, "capabilities"), options);
  mount(
    app,
    demoInterrupts,
    (call) => demos.read(call, `interrupts?${new URLSearchParams(call.query)}`),
    options,
  );
}

const FILE_TROUBLE: Readonly<Record<number, Code>> = {
  400: "invalid_query",
  403: "not_allowed",
  404: "not_found",
  409: "already_settled",
  413: "too_large",
};

type AnyCall = Pick<Call, "workspace" | "by" | "gone" | "header">;

class Demos {
  readonly #deps: AgUiDeps;
  readonly #handlers = new Map<string, AgUiHandler>();

  constructor(deps: AgUiDeps) {
    this.#deps = deps;
  }

  async run(
    call: AnyCall & { readonly body: object },
    forced?: InterruptForm,
    asked?: InterruptForm,
  ): Promise<Response> {
    const form = forced ?? asked ?? call.header("x-agui-interrupt-form");
    const body = JSON.stringify(call.body);
    await afterLongText(body);
    const request = new Request(
      `http://demo/agui/demo${form === undefined ? "" : `?interruptForm=${form}`}`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: call.gone(),
      },
    );
    return await checked(await this.#handler(call)(request));
  }

  async file(call: AnyCall & Pick<Call, "bytes">, what: string) {
    const request = new Request(`http://demo/agui/demo/${what}`, {
      method: "POST",
      body: streamOf(call.bytes()),
      duplex: "half",
    } as RequestInit);
    const response = await this.#handler(call)(request);
    const body = (await response.json()) as { readonly error?: string; readonly code?: string };
    if (response.ok) return { status: response.status, body };
    const code = FILE_TROUBLE[response.status] ?? "invalid_answer";
    throw new HttpTrouble({ code, ...(body.error === undefined ? {} : { detail: body.error }) });
  }

  async read(call: AnyCall, what: string) {
    const response = await checked(await this.#handler(call)(new Request(`http://demo/agui/demo/${what}`)));
    return { status: response.status, body: await response.json() };
  }

  /** Everybody has their own threads, and their own name on the answers that they give. */
  #handler({ workspace, by }: AnyCall): AgUiHandler {
    const key = JSON.stringify([workspace, by.role, by.name]);
    const known = this.#handlers.get(key);
    if (known !== undefined) return known;
    const { clock, ids, publicUrl } = this.#deps;
    const name = `agui-demo:${by.name}`;
    const made = createAgUiHandler({
      agent: demoAgent,
      publicUrl,
      holdpoint: this.#deps.client(workspace, { role: "app", via: "key", id: name, name }),
      identify: () => personOf(by),
      identity: { name: "demo", description: "A scripted agent that stops for a person" },
      machine: {
        now: () => clock.now(),
        after: (ms, wake) => clock.at(clock.now() + ms, wake),
        newKey: () => ids.next(clock.now()),
      },
      onError: (error) => this.#deps.onFault(error),
    });
    this.#handlers.set(key, made);
    if (this.#handlers.size > HANDLERS_MAX) {
      for (const oldest of this.#handlers.keys()) {
        this.#handlers.delete(oldest);
        break;
      }
    }
    return made;
  }
}

/** An agent's key never answers, and who only reads does not either (G7). */
function personOf({ role, id, name }: Principal): { readonly id: string; readonly name: string } | null {
  return role === "agent" || role === "auditor" ? null : { id, name };
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const reading = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reading.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await reading.return?.();
    },
  });
}
