/**
 * Compares the rows with the log: every hold has both, both end at the same event, and the row's content matches the
 * digests.
 */

import type { Attachments } from "../kernel/attachment.ts";
import type { Entity } from "../kernel/entity.ts";
import {
  commentContent,
  ENDINGS,
  earlierPlacedContent,
  outcomeContent,
  placedContent,
} from "../kernel/hold/facts.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { Link } from "../kernel/hold/link.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { ReadStore } from "../store/port.ts";
import { canonicalJson } from "../system/canonical-json.ts";
import { contentDigest } from "./seal.ts";
import type { Found, Head } from "./verify.ts";
import { checkLinks, type LinkHistory, LinksByHold, placedLinks } from "./verify-links.ts";
import { type LoggedFact, type Report, readData, walk } from "./verify-walk.ts";

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
  readonly links?: LinkHistory;
  /** The votes that count, as action and digest of the answer, by person. */
  readonly votes?: ReadonlyMap<string, string>;
  readonly revoked?: true;
}

const NO_LINKS: LinkHistory = { made: new Map(), placed: [], revoked: new Set() };

export class HoldHistories {
  readonly #histories = new Map<string, HoldHistory>();

  add(event: StoredEvent): void {
    const name = `${event.workspace}\u0000${event.stream}`;
    const more = told(event, this.#histories.get(name) ?? {});
    if (more !== undefined) this.#histories.set(name, { ...this.#histories.get(name), ...more });
  }

  of(name: string): HoldHistory {
    return this.#histories.get(name) ?? {};
  }
}

/** What an event adds to the history; `undefined`: nothing that a row could contradict. */
function told(event: StoredEvent, known: HoldHistory): HoldHistory | undefined {
  const { type } = event;
  if (ENDINGS.has(type)) return { ended: loggedFact(event) };
  switch (type) {
    case "hold.placed":
      return placedHistory(loggedFact(event));
    case "hold.extended":
      return { extended: loggedFact(event) };
    case "hold.commented":
      return { commented: [...(known.commented ?? []), loggedFact(event)] };
    case "hold.erased":
      return { erased: true };
    case "hold.revoked":
      return { revoked: true };
    case "hold.claim_released":
      return { claim: null };
    case "hold.link_made":
    case "hold.link_revoked":
      return { links: withLink(known.links, loggedFact(event)) };
    case "hold.voted":
    case "hold.vote_withdrawn":
      return { votes: withVote(known.votes, loggedFact(event)) };
    default:
      return type.startsWith("hold.claim") ? { claim: loggedFact(event) } : undefined;
  }
}

function placedHistory(placed: LoggedFact): HoldHistory {
  const made = placed.data["links_made"];
  if (!Array.isArray(made) || made.length === 0) return { placed };
  return { placed, links: { ...NO_LINKS, placed: made.map((link) => String(link?.link_id)) } };
}

function withLink(links: LinkHistory = NO_LINKS, fact: LoggedFact): LinkHistory {
  const id = String(fact.data["link_id"]);
  if (fact.type === "hold.link_revoked") return { ...links, revoked: new Set([...links.revoked, id]) };
  return { ...links, made: new Map([...links.made, [id, fact]]) };
}

function withVote(votes: HoldHistory["votes"] = new Map(), { type, data }: LoggedFact) {
  const next = new Map(votes);
  const person = String(data["person"]);
  next.delete(person);
  if (type === "hold.voted") next.set(person, `${data["action"]} ${data["answer"]}`);
  return next;
}

function loggedFact({ position, seq, type, data }: StoredEvent): LoggedFact {
  return { position, seq, type, data: readData(data) };
}

/** Checks every hold. Returns how many holds were erased on purpose, by workspace. */
export async function checkRows(
  store: ReadStore,
  heads: ReadonlyMap<string, Head>,
  histories: HoldHistories,
  breaks: Found[],
  { domains }: Attachments,
  onProgress: (share: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const erased = new Map<string, number>();
  const seen = new Set<string>();
  for (const workspace of workspacesOf(heads)) {
    const links = new LinksByHold(store, workspace);
    const strayLink = ({ id, holdId }: Link) => {
      const what = `its link ${id} exists, and the hold does not`;
      breaks.push({ workspace, position: 0, stream: `hold:${holdId}`, seq: 0, what });
    };
    for await (const entity of walk(store, workspace, "hold")) {
      const stream = `hold:${entity.id}`;
      const name = `${workspace}\u0000${stream}`;
      const head = heads.get(name);
      const history = histories.of(name);
      const { own, stray } = await links.of(entity.id);
      stray.forEach(strayLink);
      const report: Report = (what, at) => {
        const { position = 0, seq = entity.seq } = at ?? { position: head?.position };
        breaks.push({ workspace, position, stream, seq, what });
      };
      checkHold(entity, head, history, own, report);
      checkAttachments(entity.body, history.placed, domains, report);
      if (entity.body.erasedAt !== undefined) erased.set(workspace, (erased.get(workspace) ?? 0) + 1);
      seen.add(name);
      if (seen.size % 1000 === 0) onProgress(0.8 + 0.2 * Math.min(1, seen.size / heads.size));
    }
    (await links.of("\uffff")).stray.forEach(strayLink);
  }
  for (const [name, { position, seq }] of heads) {
    const [workspace = "", stream = ""] = name.split("\u0000");
    if (!stream.startsWith("hold:") || seen.has(name)) continue;
    breaks.push({ workspace, position, stream, seq, what: "the hold's row is missing" });
  }
  onProgress(1);
  return erased;
}

export function workspacesOf(heads: ReadonlyMap<string, Head>): ReadonlySet<string> {
  return new Set([...heads.keys()].map((name) => name.slice(0, name.indexOf("\u0000"))));
}

function checkHold(
  { body: hold, seq, head: rowHead }: Entity<Hold>,
  head: Head | undefined,
  history: HoldHistory,
  links: readonly Link[],
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
  checkLinks(hold, links, history.links, report);
  if (placed !== undefined && !hasPlacedContent(hold, placed, placedLinks(links, history.links)))
    report("the hold's question, its terms, its settings or the links made with it were changed", placed);
  const altered = history.commented?.find((logged, at) => !isCommentAsLogged(hold, logged, at));
  if (altered !== undefined || (hold.comments?.length ?? 0) > (history.commented?.length ?? 0))
    report("the hold's comments were changed", altered);
  if (placed !== undefined && !hasPlacedFields(hold, placed, history.extended))
    report("the hold's creator, expiry, digest or settings were changed", placed);
  if (!hasVotes(hold, history.votes)) report("the hold's votes were changed");
  if ((hold.revoked !== undefined) !== (history.revoked === true))
    report("the hold's approval is revoked in the row or in the log, but not in both");
  if (!endsAsLogged(hold, ended)) report("the hold's outcome was changed", ended);
  if (!isClaimedAsLogged(hold, history.claim ?? undefined))
    report("the hold's claim was changed", history.claim ?? undefined);
}

/** The digest covers the links too, unless a version before wrote it. An erased hold has no salt any more. */
function hasPlacedContent(hold: Hold, { data }: LoggedFact, links: readonly Link[] | undefined): boolean {
  const { salt } = hold;
  if (salt === null) return true;
  const written = data["content"];
  if (contentDigest(earlierPlacedContent(hold), salt) === written) return true;
  return links !== undefined && contentDigest(placedContent(hold, links), salt) === written;
}

/**
 * Whether the fields that the log stores in clear when a hold is placed, and that never change, are still the same.
 */
function hasPlacedFields(hold: Hold, { data }: LoggedFact, extended: LoggedFact | undefined): boolean {
  const pairs = [
    [hold.createdBy, data["created_by"]],
    [hold.expiresAt, (extended?.data ?? data)["expires_at"]],
    [hold.digest, data["digest"]],
    [hold.links, data["links"]],
    [hold.threadId, data["thread_id"]],
    [hold.groupId, data["group_id"]],
    [hold.previous, data["previous"]],
    [hold.after, data["after"]],
    [hold.decision, data["decision"]],
  ];
  return pairs.every(
    ([row, logged]) => row === logged || canonicalJson(row ?? null) === canonicalJson(logged ?? null),
  );
}

/** The row and the log name the same intent, or neither names one. */
function checkAttachments(
  hold: Hold,
  placed: LoggedFact | undefined,
  domains: Attachments["domains"],
  report: Report,
): void {
  for (const [name, rules] of Object.entries(domains)) {
    if (rules.isNamed && placed !== undefined && rules.idOf(hold) !== placed.data[`${name}_id`])
      report(`the ${name} that the hold is attached to was changed`, placed);
  }
}

function hasVotes({ votes = [] }: Hold, logged: HoldHistory["votes"] = new Map()): boolean {
  const isLogged = votes.every(({ person, action, answer }) => logged.get(person) === `${action} ${answer}`);
  return isLogged && votes.length === logged.size;
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
