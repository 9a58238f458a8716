/** The addresses of the agents behind this server. */

import type { Hono } from "hono";
import { type Call, type MountOptions, mount } from "../../faces/http/mount.ts";
import { HttpTrouble } from "../../faces/http/respond.ts";
import { checked } from "../face/checked.ts";
import type { ProxyDesk } from "./desk.ts";
import { connectProxy, proxyCapabilities, proxyInterrupts, runDraftProxy, runProxy } from "./operations.ts";

type AnyCall = Pick<Call, "workspace" | "by" | "header"> & { readonly params: { readonly name: string } };
type Form = "released" | "draft";

export function mountProxies(app: Hono, desk: ProxyDesk, options: MountOptions): void {
  mount(
    app,
    runProxy,
    (call) => run(call, desk, `?${new URLSearchParams(call.query)}`, call.query.interruptForm),
    options,
  );
  mount(app, runDraftProxy, (call) => run(call, desk, "", "draft"), options);
  mount(app, connectProxy, (call) => run(call, desk, "/connect", call.query.interruptForm), options);
  mount(app, proxyCapabilities, (call) => read(call, desk, "/capabilities"), options);
  mount(
    app,
    proxyInterrupts,
    (call) => read(call, desk, `/interrupts?${new URLSearchParams(call.query)}`),
    options,
  );
}

async function run(
  call: AnyCall & { readonly body: object },
  desk: ProxyDesk,
  path: string,
  asked: Form | undefined,
): Promise<Response> {
  const { workspace, by, body } = call;
  // A run of the agent may do anything; who only reads starts none.
  if (by.role === "auditor") throw new HttpTrouble({ code: "not_allowed", detail: "auditors only read" });
  const form = asked ?? call.header("x-agui-interrupt-form");
  return checked(await desk.call({ workspace, by, proxy: nameOf(call, desk), path, form, body }));
}

async function read(call: AnyCall, desk: ProxyDesk, path: string) {
  const { workspace, by } = call;
  const response = await checked(await desk.call({ workspace, by, proxy: nameOf(call, desk), path }));
  return { status: response.status, body: await response.json() };
}

function nameOf({ params }: AnyCall, desk: ProxyDesk): string {
  if (!desk.has(params.name)) throw new HttpTrouble({ code: "not_found", detail: "no such agent" });
  return params.name;
}
