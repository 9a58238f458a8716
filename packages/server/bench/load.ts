/** The load generator: keep-alive connections, one request after another on each, latencies kept. */

import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";

export interface Target {
  readonly url: string;
  readonly key: string;
}

export interface Sample {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Wire {
  call(method: string, path: string, body?: unknown): Promise<string>;
  close(): void;
}

export function wireTo({ url, key }: Target): Wire {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const wire: Wire = {
    close: () => agent.destroy(),
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? "" : JSON.stringify(body);
        const headers = {
          authorization: `Bearer ${key}`,
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        };
        const sent = request({ hostname, port, method, path, agent, headers }, (reply) => {
          let got = "";
          reply.setEncoding("utf8");
          reply.on("data", (chunk: string) => {
            got += chunk;
          });
          reply.on("end", () => {
            if ((reply.statusCode ?? 500) < 300) resolve(got);
            else reject(new Error(`${reply.statusCode}: ${got.slice(0, 300)}`));
          });
        });
        sent.on("error", (error: NodeJS.ErrnoException) => {
          // A server may close a connection that has waited too long just as it is used again.
          if (sent.reusedSocket && error.code === "ECONNRESET") resolve(wire.call(method, path, body));
          else reject(error);
        });
        sent.end(text);
      }),
  };
  return wire;
}

/** Runs `work` for about `ms`, `concurrency` at a time. */
export async function drive(concurrency: number, ms: number, work: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + ms;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < until) {
        const begun = performance.now();
        await work();
        latencies.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: latencies.length / seconds, ...percentiles(latencies) };
}

export function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export function median(values: readonly number[]): number {
  return percentiles(values).p50;
}
