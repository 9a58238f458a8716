/** Rotas: who is on call now and next. Admins add and change them while the server runs. */

import type { RotaIn, RotaOut } from "@holdpoint/protocol";
import { formatDuration, parseDuration } from "@holdpoint/protocol/rules";
import { emailAccountId } from "../../../kernel/people/person.ts";
import { seesDeliveries } from "../../../kernel/principal.ts";
import { eventsOf, type OwnRota, type Rota } from "../../../kernel/server/rota.ts";
import { SERVER_WORKSPACE } from "../../../kernel/server/server.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const oncall = {
  async listRotas({ workspace, by }, deps) {
    if (!seesDeliveries(by) || workspace !== SERVER_WORKSPACE) throw fail("not_allowed");
    const names = Object.keys(deps.engine.platform.rotas ?? {}).sort();
    return { status: 200, body: { rotas: await Promise.all(names.map((name) => present(name, deps))) } };
  },

  async putRota({ workspace, by, params: { id: name }, body }, deps) {
    const rota = rotaOf(body);
    return deps.live.inTurn(async () => {
      accepted(await deps.engine.run({ kind: "put_rota", workspace, by, name, rota }), by);
      await deps.live.refresh();
      return { status: 200, body: await present(name, deps) };
    });
  },

  async removeRota({ workspace, by, params: { id: name } }, deps) {
    return deps.live.inTurn(async () => {
      const { rotas } = deps.live;
      const shown = Object.hasOwn(rotas, name) ? await present(name, deps) : undefined;
      accepted(await deps.engine.run({ kind: "remove_rota", workspace, by, name }), by);
      await deps.live.refresh();
      if (shown === undefined) throw fail("not_found");
      return { status: 200, body: shown };
    });
  },
} satisfies Routes;

function rotaOf(body: RotaIn): OwnRota {
  if ("calendar" in body) {
    if (eventsOf(body.calendar).length > 0) return { kind: "calendar", text: body.calendar };
    throw fail(
      "invalid_body",
      "the calendar has no event that can be read: each needs DTSTART and DTEND in UTC or as whole days, and a SUMMARY that names a person",
    );
  }
  const { people, every, from } = body;
  const everyMs = parseDuration(every);
  if (everyMs === null) throw new Error(`Invariant: the turn ${every} passed the schema and is no duration`);
  return { kind: "rotation", people: [...people], everyMs, from: Date.parse(from) };
}

async function present(name: string, deps: RestDeps): Promise<RotaOut> {
  const { engine, live } = deps;
  const { rotas = {} } = engine.platform;
  const rota = Object.hasOwn(rotas, name) ? rotas[name] : undefined;
  if (rota === undefined) throw new Error(`Invariant: the rota ${name} was saved and is not there`);
  const turns = await live.turnsOf(rota);
  const now = turns?.now;
  const next = turns?.next;
  return {
    ...{ name, source: Object.hasOwn(live.rotas, name) ? "console" : "config" },
    is_configured: Object.hasOwn(live.configured.rotas ?? {}, name),
    ...terms(rota),
    ...(now === undefined ? {} : { now: { ...(await known(now.who, deps)), until: time(now.until) } }),
    ...(next === undefined ? {} : { next: { ...(await known(next.who, deps)), from: time(next.from) } }),
    ...(turns === null ? { reason: "unreadable" } : {}),
  };
}

function terms(rota: Rota): Pick<RotaOut, "people" | "every" | "from" | "calendar"> {
  if (rota.kind === "ical") return {};
  if (rota.kind === "calendar") return { calendar: rota.text };
  return { people: rota.people, every: formatDuration(rota.everyMs), from: time(rota.from) };
}

/** As notifications look for them. */
async function known(who: string, { engine: { store } }: RestDeps) {
  const workspace = SERVER_WORKSPACE;
  const [account] = await store.load([{ workspace, kind: "account", id: emailAccountId(who), read: true }]);
  const id = account?.body.personId ?? who.replace(/^person:/, "");
  const [person] = await store.load([{ workspace, kind: "person", id, read: true }]);
  return { who, ...(person?.body.status === "active" ? { name: person.body.name } : {}) };
}
