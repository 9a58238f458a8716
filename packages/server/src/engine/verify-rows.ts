/** Holds the rows against the log: every hold has both, they end alike, and the row's content is what was digested. */

import type { EntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import { outcomeContent, placedContent } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { ReadStore } from "../store/port.ts";
import { contentDigest } from "./seal.ts";
import type { Found, Head } from "./verify.ts";

const PAGE = 500;

interface Told {
  readonly position: number;
  readonly seq: number;
  readonly type: string;
  /** What the log says in clear, and the digest of what it does not. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the log tells of one hold's content. */
interface Story {
  readonly placed?: Told;
  readonly ended?: Told;
  readonly erased?: true;
  /** The last that was said of its execution; `null`: a person released it. */
  readonly claim?: Told | null;
}

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

export class HoldStories {
  readonly #stories = new Map<string, Story>();

  note(event: StoredEvent): void {
    const name = `${event.workspace}\u0000${event.stream}`;
    const known = this.#stories.get(name) ?? {};
    if (event.type === "hold.placed") this.#stories.set(name, { ...known, placed: told(event) });
    else if (ENDINGS.has(event.type)) this.#stories.set(name, { ...known, ended: told(event) });
    else if (event.type === "hold.erased") this.#stories.set(name, { ...known, erased: true });
    else if (event.type === "hold.claim_released") this.#stories.set(name, { ...known, claim: null });
    else if (event.type.startsWith("hold.claim")) this.#stories.set(name, { ...known, claim: told(event) });
  }

  of(name: string): Story {
    return this.#stories.get(name) ?? {};
  }
}

function told({ position, seq, type, data }: StoredEvent): Told {
  return { position, seq, type, data: readData(data) };
}

/** Words that are no JSON any more are named as changed already, by their hash. */
function readData(data: string): Told["data"] {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    return {};
  }
}

type Say = (what: string, at?: { readonly position: number; readonly seq: number }) => void;

/** How many holds were erased on purpose, by workspace. */
export async function checkRows(
  store: ReadStore,
  heads: ReadonlyMap<string, Head>,
  stories: HoldStories,
  breaks: Found[],
  onProgress: (share: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const erased = new Map<string, number>();
  const seen = new Set<string>();
  for (const workspace of new Set([...heads.keys()].map((name) => name.slice(0, name.indexOf("\u0000"))))) {
    for await (const entity of walk(store, workspace, "hold")) {
      const stream = `hold:${entity.id}`;
      const name = `${workspace}\u0000${stream}`;
      const head = heads.get(name);
      checkHold(entity, head, stories.of(name), (what, at) => {
        const { position = 0, seq = entity.seq } = at ?? { position: head?.position };
        breaks.push({ workspace, position, stream, seq, what });
      });
      if (entity.body.erasedAt !== undefined) erased.set(workspace, (erased.get(workspace) ?? 0) + 1);
      seen.add(name);
      if (seen.size % 1000 === 0) onProgress(0.8 + 0.2 * Math.min(1, seen.size / heads.size));
    }
  }
  for (const [name, { position, seq }] of heads) {
    const [workspace = "", stream = ""] = name.split("\u0000");
    if (!stream.startsWith("hold:") || seen.has(name)) continue;
    breaks.push({ workspace, position, stream, seq, what: "its row is gone" });
  }
  onProgress(1);
  return erased;
}

function checkHold(
  { body: hold, seq, head: rowHead }: Entity<Hold>,
  head: Head | undefined,
  story: Story,
  say: Say,
): void {
  if (head === undefined) {
    say("its log is missing");
    return;
  }
  if (head.seq !== seq || head.hash !== rowHead) say("its log does not end where its row says");
  checkErasure(hold, story, say);
  const { placed, ended } = story;
  if (hold.salt !== null && placed !== undefined) {
    if (contentDigest(placedContent(hold), hold.salt) !== placed.data["content"])
      say("what it asks was changed", placed);
  }
  if (placed !== undefined && !isFramed(hold, placed))
    say("who asked it, or until when, was changed", placed);
  if (!isEnding(hold, ended)) say("its outcome was changed", ended);
  if (!isClaimed(hold, story.claim ?? undefined))
    say("what became of its execution was changed", story.claim ?? undefined);
}

/** What the log says in clear of a placing, and never changes afterwards. */
function isFramed(hold: Hold, { data }: Told): boolean {
  return (
    hold.createdBy === data["created_by"] &&
    hold.expiresAt === data["expires_at"] &&
    hold.digest === data["digest"]
  );
}

/** Whether a row was claimed as its log says: a claim that vanished could be made once more. */
function isClaimed({ claim }: Hold, claimed: Told | undefined): boolean {
  return claim?.id === claimed?.data["claim_id"] && claim?.state === claimed?.data["state"];
}

function checkErasure(hold: Hold, { erased }: Story, say: Say): void {
  if (hold.salt === null && erased === undefined)
    say("its content is gone, and the log does not say it was erased");
  if (hold.salt !== null && erased === true) say("its log says it was erased, and its row has content");
}

/** Whether a row ends as its log does. Of an erased one only what the log says in clear is left to compare. */
function isEnding({ outcome, status, salt }: Hold, ended: Told | undefined): boolean {
  if (outcome === undefined || ended === undefined) return outcome === ended && status === "open";
  if (status !== outcome.kind || ended.type !== `hold.${outcome.kind}`) return false;
  if (salt !== null) return contentDigest(outcomeContent(outcome), salt) === ended.data["content"];
  return outcome.kind !== "decided" || outcome.action === ended.data["action"];
}

export async function* walk<K extends string>(
  store: ReadStore,
  workspace: string,
  kind: K,
): AsyncGenerator<EntityOf<K>> {
  let after: string | undefined;
  for (;;) {
    const page = await store.query({
      workspace,
      kind,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}
