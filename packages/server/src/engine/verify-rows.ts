/**
 * Compares the rows with the log: every hold has both, both end at the same event, and the row's content matches the
 * digests.
 */

import type { EntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";
import { commentContent, outcomeContent, placedContent } from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { ReadStore } from "../store/port.ts";
import { contentDigest } from "./seal.ts";
import type { Found, Head } from "./verify.ts";

const PAGE = 500;

interface LoggedFact {
  readonly position: number;
  readonly seq: number;
  readonly type: string;
  /** What the log stores in clear, and the digest of the private content. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the log says about one hold. */
interface HoldHistory {
  readonly placed?: LoggedFact;
  readonly ended?: LoggedFact;
  readonly erased?: true;
  /** The last time that people gave it more time. */
  readonly extended?: LoggedFact;
  readonly commented?: readonly LoggedFact[];
  /** The last event about its execution; `null`: a person released the claim. */
  readonly claim?: LoggedFact | null;
}

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

export class HoldHistories {
  readonly #histories = new Map<string, HoldHistory>();

  add(event: StoredEvent): void {
    const name = `${event.workspace}\u0000${event.stream}`;
    const known = this.#histories.get(name) ?? {};
    if (event.type === "hold.placed") this.#histories.set(name, { ...known, placed: loggedFact(event) });
    else if (ENDINGS.has(event.type)) this.#histories.set(name, { ...known, ended: loggedFact(event) });
    else if (event.type === "hold.extended")
      this.#histories.set(name, { ...known, extended: loggedFact(event) });
    else if (event.type === "hold.commented")
      this.#histories.set(name, { ...known, commented: [...(known.commented ?? []), loggedFact(event)] });
    else if (event.type === "hold.erased") this.#histories.set(name, { ...known, erased: true });
    else if (event.type === "hold.claim_released") this.#histories.set(name, { ...known, claim: null });
    else if (event.type.startsWith("hold.claim"))
      this.#histories.set(name, { ...known, claim: loggedFact(event) });
  }

  of(name: string): HoldHistory {
    return this.#histories.get(name) ?? {};
  }
}

function loggedFact({ position, seq, type, data }: StoredEvent): LoggedFact {
  return { position, seq, type, data: readData(data) };
}

/** Data that is no longer JSON is already reported as changed, because its hash does not match. */
function readData(data: string): LoggedFact["data"] {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    return {};
  }
}

type Report = (what: string, at?: { readonly position: number; readonly seq: number }) => void;

/** Checks every hold. Returns how many holds were erased on purpose, by workspace. */
export async function checkRows(
  store: ReadStore,
  heads: ReadonlyMap<string, Head>,
  histories: HoldHistories,
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
      checkHold(entity, head, histories.of(name), (what, at) => {
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
    breaks.push({ workspace, position, stream, seq, what: "the hold's row is missing" });
  }
  onProgress(1);
  return erased;
}

function checkHold(
  { body: hold, seq, head: rowHead }: Entity<Hold>,
  head: Head | undefined,
  history: HoldHistory,
  report: Report,
): void {
  if (head === undefined) {
    report("the hold's log is missing");
    return;
  }
  if (head.seq !== seq || head.hash !== rowHead)
    report("the hold's log does not end at the event that its row names");
  checkErasure(hold, history, report);
  const { placed, ended } = history;
  if (hold.salt !== null && placed !== undefined) {
    if (contentDigest(placedContent(hold), hold.salt) !== placed.data["content"])
      report("the hold's question or its terms were changed", placed);
  }
  const altered = history.commented?.find((logged, at) => !isCommentAsLogged(hold, logged, at));
  if (altered !== undefined || (hold.comments?.length ?? 0) > (history.commented?.length ?? 0))
    report("the hold's comments were changed", altered);
  if (placed !== undefined && !hasPlacedFields(hold, placed, history.extended))
    report("the hold's creator, expiry or digest was changed", placed);
  if (!endsAsLogged(hold, ended)) report("the hold's outcome was changed", ended);
  if (!isClaimedAsLogged(hold, history.claim ?? undefined))
    report("the hold's claim was changed", history.claim ?? undefined);
}

/**
 * Whether the fields that the log stores in clear when a hold is placed, and that never change, are still the same.
 */
function hasPlacedFields(hold: Hold, { data }: LoggedFact, extended: LoggedFact | undefined): boolean {
  return (
    hold.createdBy === data["created_by"] &&
    hold.expiresAt === (extended?.data ?? data)["expires_at"] &&
    hold.digest === data["digest"]
  );
}

/** Erased content has no comments left to compare. */
function isCommentAsLogged({ comments = [], salt }: Hold, { data }: LoggedFact, at: number): boolean {
  if (salt === null) return true;
  const comment = comments[at];
  if (comment === undefined || comment.id !== data["comment_id"]) return false;
  return contentDigest(commentContent(comment), salt) === data["content"];
}

/** Whether the row's claim is the one in the log: if a claim disappeared, the work could be claimed twice. */
function isClaimedAsLogged({ claim }: Hold, claimed: LoggedFact | undefined): boolean {
  return claim?.id === claimed?.data["claim_id"] && claim?.state === claimed?.data["state"];
}

function checkErasure(hold: Hold, { erased }: HoldHistory, report: Report): void {
  if (hold.salt === null && erased === undefined)
    report("the hold's content is missing, and the log does not say that it was erased");
  if (hold.salt !== null && erased === true)
    report("the log says that the hold was erased, but its row has content");
}

/**
 * Whether the row's outcome is the one in the log. For an erased hold only what the log stores in clear can be
 * compared.
 */
function endsAsLogged({ outcome, status, salt }: Hold, ended: LoggedFact | undefined): boolean {
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
