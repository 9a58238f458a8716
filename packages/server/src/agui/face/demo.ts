/** One demo agent for each caller, so that callers share no threads and no names. */

import type { Code } from "@holdpoint/protocol";
import type { InterruptForm } from "@holdpoint/protocol/agui";
import { type AgUiHandler, createAgUiHandler } from "@holdpoint/protocol/agui/runtime";
import type { FileClient, HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import { afterLongText } from "../../faces/http/body.ts";
import { fail } from "../../faces/http/failure.ts";
import type { Call } from "../../faces/http/mount.ts";
import { NewestCache } from "../../faces/http/newest-cache.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Clock } from "../../system/clock.ts";
import type { Ids } from "../../system/ids.ts";
import { personOf, refuseReaders } from "./callers.ts";
import { checked } from "./errors.ts";
import { demoAgent } from "./scenarios.ts";

export interface DemoDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** The demo's own client, in the caller's workspace. */
  client(workspace: string, principal: Principal): HoldClient & ThreadClient & FileClient;
  onFault(error: unknown): void;
}

/** The number of callers whose handlers stay in memory; an older caller gets a new handler on its next request. */
const HANDLERS_MAX = 1_000;

const FILE_FAILURES: Readonly<Record<number, Code>> = {
  400: "invalid_query",
  403: "not_allowed",
  404: "not_found",
  409: "already_settled",
  413: "too_large",
};

type AnyCall = Pick<Call, "workspace" | "by" | "gone" | "header">;

export class Demos {
  readonly #deps: DemoDeps;
  readonly #handlers = new NewestCache<AgUiHandler>(HANDLERS_MAX);

  constructor(deps: DemoDeps) {
    this.#deps = deps;
  }

  async run(
    call: AnyCall & { readonly body: object },
    forced?: InterruptForm,
    asked?: InterruptForm,
  ): Promise<Response> {
    refuseReaders(call.by);
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
    refuseReaders(call.by);
    const request = new Request(`http://demo/agui/demo/${what}`, {
      method: "POST",
      body: streamOf(call.bytes()),
      duplex: "half",
    } as RequestInit);
    const response = await this.#handler(call)(request);
    const body = (await response.json()) as { readonly error?: string; readonly code?: string };
    if (response.ok) return { status: response.status, body };
    const code = FILE_FAILURES[response.status] ?? "invalid_answer";
    throw fail(code, body.error ?? "");
  }

  async read(call: AnyCall, what: string) {
    const response = await checked(await this.#handler(call)(new Request(`http://demo/agui/demo/${what}`)));
    return { status: response.status, body: await response.json() };
  }

  /** Each caller has its own threads, and its own name on its answers. */
  #handler(call: AnyCall): AgUiHandler {
    const { workspace, by } = call;
    const key = JSON.stringify([workspace, by.role, by.name]);
    return this.#handlers.get(key, () => this.#make(call));
  }

  #make({ workspace, by }: AnyCall): AgUiHandler {
    const { clock, ids, publicUrl } = this.#deps;
    const name = `agui-demo:${by.name}`;
    return createAgUiHandler({
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
  }
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
