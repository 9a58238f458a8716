/** The measuring server in a process of its own, and requests to it that say how long they stopped everybody else. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import type { Subject } from "../hostile/requests.ts";

const CHILD = fileURLToPath(new URL("./server.child.ts", import.meta.url));

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Measured {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
  /** The longest turn of the server's event loop while it worked on this, in milliseconds of processor time. */
  readonly pauseMs: number;
}

export interface MeasuringServer extends AsyncDisposable {
  readonly keys: TestServer["keys"];
  /** By face and operation id. */
  readonly subjects: Readonly<Record<string, Subject>>;
  measure(sent: Sent): Promise<Measured>;
  /** Sends all of them at once. */
  measureTogether(
    sent: readonly Sent[],
  ): Promise<Pick<Measured, "pauseMs"> & { readonly statuses: readonly number[] }>;
  /** Lets a minute pass, so that what is due is sent. */
  advance(): Promise<number>;
}

export async function measuringServer(): Promise<MeasuringServer> {
  // What is measured is compiled as in production, not taken from the cache of the test run.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const child = fork(CHILD, { execArgv: ["--conditions=@holdpoint/source"], env });
  const [about] = (await once(child, "message")) as [
    Pick<MeasuringServer, "keys" | "subjects"> & { url: string },
  ];
  return {
    keys: about.keys,
    subjects: about.subjects,
    async measure(sent) {
      await tell(child, "begin");
      const reply = await send(about.url, sent);
      return { ...reply, pauseMs: (await tell(child, "end")) as number };
    },
    async measureTogether(sent) {
      await tell(child, "begin");
      const replies = await Promise.all(sent.map((each) => send(about.url, each)));
      return { statuses: replies.map(({ status }) => status), pauseMs: (await tell(child, "end")) as number };
    },
    async advance() {
      await tell(child, "begin");
      await tell(child, "advance");
      return (await tell(child, "end")) as number;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

async function tell(child: ChildProcess, message: string): Promise<unknown> {
  const replied = once(child, "message");
  child.send(message);
  return (await replied)[0];
}

/** A stream's beginning is enough; a refusal may come before the body was taken, and then the rest cannot be written. */
function send(url: string, { method, path, headers = {}, body }: Sent): Promise<Omit<Measured, "pauseMs">> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const asked = request(url + path, { method, headers: { ...headers, ...length } }, (reply) => {
      let text = "";
      const cookie = reply.headers["set-cookie"]?.[0] ?? "";
      const done = () => resolve({ status: reply.statusCode ?? 0, text, cookie });
      reply.setEncoding("utf8");
      reply.on("data", (chunk: string) => {
        text += chunk;
      });
      reply.on("end", done);
      reply.on("error", done);
      if (!reply.headers["content-type"]?.startsWith("text/event-stream")) return;
      reply.destroy();
      done();
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
