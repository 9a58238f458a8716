/** The addresses of the agents behind this server. */

import { fail } from "../../faces/http/failure.ts";
import type { Call, Handlers } from "../../faces/http/mount.ts";
import { refuseReaders } from "../face/callers.ts";
import { checked } from "../face/errors.ts";
import type { proxyOperations } from "./operations.ts";
import type { ProxyRuntime } from "./proxy-runtime.ts";

type AnyCall = Pick<Call, "workspace" | "by" | "header"> & { readonly params: { readonly name: string } };
type Form = "released" | "draft";

export const proxyRoutes = {
  runProxy: (call, runtime) =>
    run(call, runtime, `?${new URLSearchParams(call.query)}`, call.query.interruptForm),
  runDraftProxy: (call, runtime) => run(call, runtime, "", "draft"),
  connectProxy: (call, runtime) => run(call, runtime, "/connect", call.query.interruptForm),
  proxyCapabilities: (call, runtime) => read(call, runtime, "/capabilities"),
  proxyInterrupts: (call, runtime) => read(call, runtime, `/interrupts?${new URLSearchParams(call.query)}`),
} satisfies Handlers<typeof proxyOperations, ProxyRuntime>;

async function run(
  call: AnyCall & { readonly body: object },
  runtime: ProxyRuntime,
  path: string,
  asked: Form | undefined,
): Promise<Response> {
  const { workspace, by, body } = call;
  refuseReaders(by);
  const form = asked ?? call.header("x-agui-interrupt-form");
  return checked(await runtime.call({ workspace, by, proxy: nameOf(call, runtime), path, form, body }));
}

async function read(call: AnyCall, runtime: ProxyRuntime, path: string) {
  const { workspace, by } = call;
  const response = await checked(await runtime.call({ workspace, by, proxy: nameOf(call, runtime), path }));
  return { status: response.status, body: await response.json() };
}

function nameOf({ params }: AnyCall, runtime: ProxyRuntime): string {
  if (!runtime.has(params.name))
    throw fail("not_found", "this server has no agent of this name behind its proxy");
  return params.name;
}
