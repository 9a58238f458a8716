/** The addresses of the agents behind this server. */

import { fail } from "../../faces/http/failure.ts";
import type { Call, Handlers } from "../../faces/http/mount.ts";
import { refuseReaders } from "../face/callers.ts";
import { checked } from "../face/errors.ts";
import type { ProxyDesk } from "./desk.ts";
import type { proxyOperations } from "./operations.ts";

type AnyCall = Pick<Call, "workspace" | "by" | "header"> & { readonly params: { readonly name: string } };
type Form = "released" | "draft";

export const proxyRoutes = {
  runProxy: (call, desk) => run(call, desk, `?${new URLSearchParams(call.query)}`, call.query.interruptForm),
  runDraftProxy: (call, desk) => run(call, desk, "", "draft"),
  connectProxy: (call, desk) => run(call, desk, "/connect", call.query.interruptForm),
  proxyCapabilities: (call, desk) => read(call, desk, "/capabilities"),
  proxyInterrupts: (call, desk) => read(call, desk, `/interrupts?${new URLSearchParams(call.query)}`),
} satisfies Handlers<typeof proxyOperations, ProxyDesk>;

async function run(
  call: AnyCall & { readonly body: object },
  desk: ProxyDesk,
  path: string,
  asked: Form | undefined,
): Promise<Response> {
  const { workspace, by, body } = call;
  refuseReaders(by);
  const form = asked ?? call.header("x-agui-interrupt-form");
  return checked(await desk.call({ workspace, by, proxy: nameOf(call, desk), path, form, body }));
}

async function read(call: AnyCall, desk: ProxyDesk, path: string) {
  const { workspace, by } = call;
  const response = await checked(await desk.call({ workspace, by, proxy: nameOf(call, desk), path }));
  return { status: response.status, body: await response.json() };
}

function nameOf({ params }: AnyCall, desk: ProxyDesk): string {
  if (!desk.has(params.name)) throw fail("not_found", "no such agent");
  return params.name;
}
