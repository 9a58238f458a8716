/**
 * Everybody who watches a hold: those who wait for it, those who are told, and every face that shows it. All must see the same
 * ending, once, each in its own words.
 */

import { expect } from "vitest";
import { verifyLog } from "../../packages/server/src/verify-log.ts";
import { CHAT_KINDS, messagesAbout } from "./chat-doors.ts";
import type { EndingKind } from "./endings.ts";
import type { Placed } from "./placements.ts";
import type { Site, Wire, World } from "./world.ts";

const NATIVE_EVENT = {
  decided: "hold.decided",
  expired: "hold.expired",
  cancelled: "hold.cancelled",
} as const;
const HITL_STATUS = { decided: "completed", expired: "expired", cancelled: "cancelled" } as const;
const RESOLUTION = { decided: "responded", expired: "expired", cancelled: "cancelled" } as const;
/** Taking a question back has no event type of its own. */
const INTENT_ENDING = {
  decided: /intent\.resumed/,
  expired: /intent\.suspension_expired/,
  cancelled: /"reason":\s*"suspension_cancelled"/,
} as const;
const GATE_STATE = { decided: "approved", expired: "expired", cancelled: "dismissed" } as const;

/** Every way a stream or a message says that a hold is over: whoever says one of them says no other. */
const NATIVE_ENDINGS = Object.values(NATIVE_EVENT);
const HITL_ENDINGS = Object.values(HITL_STATUS).map((status) => `review.${status}`);
const INTENT_ENDINGS = Object.values(INTENT_ENDING);

export interface Waiters {
  /** What each heard; every one of them must hear. */
  heard(kind: EndingKind): Promise<void>;
  /** Asked when all is over and everybody has come too late: nobody heard anything a second time. */
  heardOnce(kind: EndingKind): void;
}

/** A stream that is read as it comes. */
class Listener {
  text = "";
  readonly #stop: AbortController;
  readonly #ended: Promise<void>;
  #wake: () => void = () => undefined;

  private constructor(body: ReadableStream<Uint8Array>, stop: AbortController) {
    this.#stop = stop;
    this.#ended = this.#read(body).catch(() => undefined);
  }

  static async open(site: Site, path: string, key: keyof Site["test"]["keys"]): Promise<Listener> {
    const headers = { authorization: `Bearer ${site.test.keys[key]}`, accept: "text/event-stream" };
    const stop = new AbortController();
    const reply = await fetch(site.url + path, { headers, signal: stop.signal });
    if (reply.status !== 200 || reply.body === null) throw new Error(`${path}: ${reply.status}`);
    return new Listener(reply.body, stop);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      this.text += decoder.decode(chunk, { stream: true });
      this.#wake();
    }
  }

  async until(part: RegExp): Promise<void> {
    while (!part.test(this.text)) {
      const more = new Promise<"more">((resolve) => {
        this.#wake = () => resolve("more");
      });
      const what = await Promise.race([more, this.#ended]);
      if (what !== "more" && !part.test(this.text))
        throw new Error(`the stream ended before ${part}: ${this.text}`);
    }
  }

  frames(): readonly string[] {
    return this.text.split("\n\n");
  }

  close(): void {
    this.#stop.abort();
  }
}

/** Begun before the end, on the server it was placed on. */
export async function wait({ placing }: World, placed: Placed): Promise<Waiters> {
  const { holdId, key, intent } = placed;
  const caseId = holdId.replace("hold_", "review_");
  const streams = {
    native: await Listener.open(placing, "/v1/events", key),
    hitl: await Listener.open(placing, `/reviews/${caseId}/events`, key),
    ...(intent === undefined
      ? {}
      : { openintent: await Listener.open(placing, `/api/v1/intents/${intent.id}/subscribe`, key) }),
  };
  const polled = poll(placing, placed);
  const told = placing.client(key).outcome(holdId, { waitMs: 7_200_000 });
  // It is awaited later; until then nobody else hears it fail.
  for (const each of [polled, told]) each.catch(() => undefined);
  return {
    async heard(kind) {
      expect((await polled).outcome.kind).toBe(kind);
      expect((await told).kind).toBe(kind);
      await streams.native.until(new RegExp(`event: ${NATIVE_EVENT[kind]}\n[^]*?"${holdId}`));
      await streams.hitl.until(new RegExp(`event: review\\.${HITL_STATUS[kind]}`));
      if ("openintent" in streams) await streams.openintent.until(INTENT_ENDING[kind]);
    },
    heardOnce(kind) {
      const native = streams.native.frames().filter((frame) => frame.includes(holdId));
      expect(named(native, NATIVE_ENDINGS), "native stream").toEqual([NATIVE_EVENT[kind]]);
      const hitl = named(streams.hitl.frames(), HITL_ENDINGS);
      expect(hitl, "HITL's stream").toEqual([`review.${HITL_STATUS[kind]}`]);
      if ("openintent" in streams) {
        const endings = streams.openintent.frames().flatMap(endingsIn);
        expect(endings, "OpenIntent's stream").toEqual([INTENT_ENDING[kind]]);
      }
      for (const stream of Object.values(streams)) stream.close();
    },
  };
}

/** The events of these names, as often as they came. */
function named(frames: readonly string[], names: readonly string[]): readonly string[] {
  return frames.flatMap((frame) => names.filter((name) => frame.includes(`event: ${name}\n`)));
}

function endingsIn(said: string): readonly RegExp[] {
  return INTENT_ENDINGS.filter((ending) => ending.test(said));
}

/** As an agent does that has nothing but HTTP: a minute at a time. */
async function poll(site: Site, { holdId, key }: Placed): Promise<Wire> {
  for (;;) {
    const { body } = await site.call("GET", `/v1/holds/${holdId}?wait=60`, key);
    if (body.status !== "open") return body;
  }
}

/** Every face that carries it, on the server it was placed on. */
export async function seeSameEnding(world: World, placed: Placed, kind: EndingKind): Promise<void> {
  const { placing } = world;
  const { holdId, key, yes, intent, conversation, proposal } = placed;
  const { body: hold } = await placing.call("GET", `/v1/holds/${holdId}`, key);
  isTruthful(hold.outcome, kind, yes.action);

  const { body: polled } = await placing.call(
    "GET",
    `/reviews/${holdId.replace("hold_", "review_")}/status`,
    key,
  );
  expect(polled.status).toBe(HITL_STATUS[kind]);
  if (kind === "decided") expect(polled.result.action).toBe(yes.action);
  else for (const member of ["result", "responded_by"]) expect(polled).not.toHaveProperty(member);

  if (intent !== undefined) {
    const { body } = await placing.call("GET", `/api/v1/intents/${intent.id}`, key);
    const suspension = body.state._suspension;
    expect(suspension.resolution).toBe(RESOLUTION[kind]);
    expect(body.status).not.toBe("suspended_awaiting_input");
    if (kind === "decided") expect(suspension.response).toBe(yes.value);
    else expect([suspension.responded_by ?? null, suspension.response ?? null]).toEqual([null, null]);
  }
  if (conversation !== undefined) {
    const { interrupts, history } = await conversation.reload();
    expect(interrupts).toEqual([]);
    expect(history).toMatchObject([{ status: kind === "decided" ? "resolved" : "cancelled" }]);
    await conversation.wentOn(kind);
  }
  if (proposal !== undefined) expect(await proposal.host.state(proposal.hash)).toBe(GATE_STATE[kind]);
}

/** Whoever is told from outside is told once, and of this ending only. */
export async function toldOnce(world: World, placed: Placed, kind: EndingKind): Promise<void> {
  await world.settle();
  const { holdId, intent, callbackPath } = placed;
  const sentTo = (path: string, id: string) =>
    world.receiver.requests.flatMap(({ path: to, body }) => (to === path && body.includes(id) ? [body] : []));
  const id = holdId.slice("hold_".length);
  tellsEnding(sentTo("/webhook", id), placed, kind, "the workspace's webhook");
  if (callbackPath === undefined) return;
  if (intent === undefined) tellsEnding(sentTo(callbackPath, id), placed, kind, "callback");
  // A subscriber hears of an intent's every change of status; one of them is the ending.
  else
    expect(sentTo(callbackPath, intent.id).flatMap(endingsIn), "subscription").toEqual([INTENT_ENDING[kind]]);
}

/** Native messages carry the whole hold, HITL's an event of its own. */
function tellsEnding(bodies: readonly string[], { yes }: Placed, kind: EndingKind, who: string): void {
  expect(bodies, who).toHaveLength(1);
  const { type, event, data, ...more } = JSON.parse(bodies[0] ?? "") as Wire;
  if (type !== undefined) {
    expect(type, who).toBe(NATIVE_EVENT[kind]);
    isTruthful(data.hold.outcome, kind, yes.action);
    return;
  }
  expect(event, who).toBe(`review.${HITL_STATUS[kind]}`);
  if (kind === "decided") expect(more.result.action, who).toBe(yes.action);
  else for (const member of ["result", "responded_by"]) expect(more, who).not.toHaveProperty(member);
}

/** G5: what nobody decided has no answer and nobody's name on it. Who took a question back did not answer it. */
function isTruthful(outcome: Wire, kind: EndingKind, action: string): void {
  expect(outcome.kind).toBe(kind);
  if (kind === "decided") expect(outcome).toMatchObject({ action, by: expect.anything() });
  else for (const member of ["by", "action", "data", "door"]) expect(outcome).not.toHaveProperty(member);
}

/** Every message in a chat has lost its buttons. */
export async function chatsClose(world: World, { prompt }: Placed): Promise<void> {
  await world.settle();
  for (const kind of CHAT_KINDS)
    for (const { buttons } of messagesAbout(world, prompt, kind)) expect(buttons, kind).toEqual([]);
}

export async function chainsVerify({ placing }: World): Promise<void> {
  expect((await verifyLog(placing.test.store)).breaks).toEqual([]);
}

/** The ending is one event of the hold's log. */
export async function endsOnce({ placing }: World, { holdId }: Placed): Promise<void> {
  const { body } = await placing.call("GET", `/v1/holds/${holdId}/events`, "admin");
  const endings = body.events.filter(({ type }: Wire) => Object.values(NATIVE_EVENT).includes(type));
  expect(endings).toHaveLength(1);
}
