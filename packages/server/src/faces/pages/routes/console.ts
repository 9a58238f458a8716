/** The operator's console. Every form contains the session's CSRF token. */

import type { Operation } from "@holdpoint/protocol";
import { personRow } from "../../../identity/suspended.ts";
import { whyNotManage } from "../../../kernel/access/manage.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { whyElsewhere } from "../../../kernel/server/elsewhere.ts";
import type { Call } from "../../http/mount.ts";
import { presentHolds } from "../../http/present-many.ts";
import type { HttpReply } from "../../http/respond.ts";
import { again, passkeyOf, type Shown, tryAnswer, viewOf } from "../answer-form.ts";
import { isPersonLooking } from "../bots.ts";
import type { PageDeps } from "../deps.ts";
import type { SignedIn } from "../doors.ts";
import { pageFailure } from "../errors.ts";
import type { AppRoutes, Routes } from "../operations.ts";
import { plainRenderer } from "../plain/index.ts";
import type { InboxView } from "../render.ts";
import { earlierRounds } from "../rounds.ts";

const PAGE = 50;

export const consolePages = {
  inbox: async (call, deps) => (await inApp(call, deps)) ?? inbox(call, deps),

  holdPage: async (call, deps) => (await inApp(call, deps)) ?? showHold(call, deps),

  async noteOpened({ workspace, by, params }, { engine }) {
    await engine.run({ kind: "open_hold", workspace, by, holdId: params.id });
    return { status: 204 };
  },

  async answerHold(call, deps) {
    const { authority, workspace, by, params } = call;
    const hold = await deps.holds.get(workspace, params.id);
    if (hold === undefined) throw pageFailure("not_found");
    const tried = await tryAnswer(hold, authority.form, { workspace, by, door: "console" }, deps);
    if (tried.kind === "again") return page(call, deps, { tried });
    return { status: 303, headers: { location: `/console/holds/${params.id}?done` } };
  },

  async dismissHold(call, deps) {
    const { workspace, by, params } = call;
    const reason = "dismissed in the console";
    const command = { kind: "cancel_hold", workspace, by, holdId: params.id, reason } as const;
    const result = await deps.engine.run(command);
    if (!result.ok) return page(call, deps, { tried: again(result.failure) });
    return { status: 303, headers: { location: `/console/holds/${params.id}` } };
  },
} satisfies Routes;

export const appRoutes: AppRoutes = {
  playground,
  agUiPlayground: playground,
  consoleApp: async (call, deps) => (await inApp(call, deps)) ?? inbox(call, deps),
  gallery: async (call, deps) => (await inApp(call, deps)) ?? inbox(call, deps),
};

type ConsoleCall = Pick<
  Call<Operation, SignedIn>,
  "authority" | "workspace" | "by" | "header" | "search" | "method" | "path"
>;
type HoldCall = ConsoleCall & { readonly params: { readonly id: string } };

/** The playground makes keys and test holds, so a server that other machines can reach has none. */
async function playground(call: ConsoleCall, deps: PageDeps) {
  if (!deps.isLocal) throw pageFailure("local_only");
  return (await inApp(call, deps)) ?? inbox(call, deps);
}

/** The built console uses the API; browsers without JavaScript are sent to the plain pages. */
async function inApp(call: ConsoleCall, deps: PageDeps): Promise<HttpReply | undefined> {
  const { workspace, by, authority, search, path } = call;
  const { renderer, publicUrl, version, isLocal } = deps;
  if (renderer.app === undefined || search("plain") !== undefined) return undefined;
  const { name, role } = by;
  const now = deps.engine.clock.now();
  const { store } = deps.engine;
  const [position, person] = await Promise.all([store.lastPosition(), personRow(store, workspace, name)]);
  const body = renderer.app({
    ...{ name, role, csrf: authority.csrf, now, position, publicUrl, version, isLocal },
    providers: deps.oidc.shown,
    changesServer: whyNotManage(by) === null && whyElsewhere(workspace) === null,
    ...(person === undefined ? {} : { person: person.name }),
    plainPath: `${path}?plain${search("done") === undefined ? "" : "&done"}`,
  });
  return { status: 200, body, headers: renderer.headers };
}

async function inbox({ workspace, by, authority, search }: ConsoleCall, deps: PageDeps): Promise<HttpReply> {
  const status = statusOf(search("status"));
  const query = (search("q") ?? "").replaceAll("\u0000", "").slice(0, 200).toWellFormed();
  const { holds, next } = await findPage(workspace, status, query, search("cursor"), deps);
  const { name, role } = by;
  const view: InboxView = {
    ...{ name, role, csrf: authority.csrf, status, query, next },
    holds: await presentHolds(holds, { ...by, role: "operator" }),
    now: deps.engine.clock.now(),
  };
  return { status: 200, body: plainRenderer.inbox(view), headers: plainRenderer.headers };
}

async function findPage(
  workspace: string,
  status: Hold["status"],
  text: string,
  after: string | undefined,
  deps: PageDeps,
) {
  const from = after === undefined || !/^[\w-]{1,100}$/.test(after) ? {} : { after };
  if (text !== "") {
    const page = await deps.engine.store.searchHolds({ workspace, text, status, ...from, limit: PAGE });
    return { holds: page.holds, next: page.resumeAfter };
  }
  const index = { name: "status", value: status };
  const query = { workspace, kind: "hold", index, ...from, newestFirst: true, limit: PAGE } as const;
  const holds = await deps.engine.store.query(query);
  return { holds, next: holds.length < PAGE ? null : (holds.at(-1)?.id ?? null) };
}

function statusOf(text: string | undefined): Hold["status"] {
  return text === "decided" || text === "expired" || text === "cancelled" ? text : "open";
}

async function showHold(call: HoldCall, deps: PageDeps): Promise<HttpReply> {
  const { workspace, by, params, header, method } = call;
  if (isPersonLooking(method, header("user-agent"), header("sec-purpose"))) {
    await deps.engine.run({ kind: "open_hold", workspace, by, holdId: params.id });
  }
  return page(call, deps, { justAnswered: call.search("done") !== undefined });
}

async function page(call: HoldCall, deps: PageDeps, shown: Shown): Promise<HttpReply> {
  const { workspace, by, params, authority } = call;
  const hold = await deps.holds.get(workspace, params.id);
  if (hold === undefined) throw pageFailure("not_found");
  const view = await viewOf(
    hold,
    {
      answerPath: `/console/holds/${params.id}/answer`,
      dismissPath: `/console/holds/${params.id}/dismiss`,
      earlier: await earlierRounds(hold, deps),
      ...passkeyOf(hold, deps),
      viewer: { ...by, role: "operator" },
      now: deps.engine.clock.now(),
      console: { name: by.name, csrf: authority.csrf },
      ...shown,
    },
    deps,
  );
  const status = shown.tried?.status ?? 200;
  return { status, body: plainRenderer.review(view), headers: plainRenderer.headers };
}
