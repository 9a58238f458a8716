/** Everything remembered is an entity: a body under (workspace, kind, id), with a version and, if it has a log, a head. */

export type Body = Readonly<Record<string, unknown>>;

/**
 * The kinds and the equality indexes each declares. An index value is a string or absent; entities of one value are
 * ordered by id, and ids are made to grow with time.
 */
export const KINDS = {
  hold: ["status", "creator", "creator_status", "thread", "intent", "group", "previous"],
  /** (creator, key) → the hold placed under that key; outlives the hold's content. */
  hold_key: [],
  /** (hold, hash of the token); a hold's links lie together. */
  link: [],
  group: ["thread"],
  workspace: [],
  api_key: ["name"],
  sign_in: [],
  session: ["name"],
  person: [],
  webhook: [],
  form_session: [],
  /** (creator, thread) → what its creator keeps about a conversation between runs. */
  thread: [],
  /** (group) → its answers on the way to an agent behind a proxy. */
  release: ["state"],
  /** What went on without a person because its request chose so. */
  skip: [],
  signing_key: [],
  checkpoint: [],
  intent: ["status", "creator", "parent", "child_status", "tree", "unsigned"],
  /** A page of a long list of ids. */
  roll: [],
  /** How many members a container has in each status. */
  tally: [],
  task: ["intent", "plan"],
  plan: ["intent"],
  /** (checkpoint) → the plan it stands in. */
  plan_checkpoint: [],
  coordinator: ["intent", "portfolio"],
  coordinator_decision: ["intent"],
  portfolio: ["creator"],
  /** (portfolio, intent) → what the one is to the other. */
  membership: ["portfolio", "suspended"],
  /** (intent, suspension) → what the intent's log says of it and may have to forget. */
  suspension_log: [],
  failure: ["intent"],
  decision: ["intent"],
  subscription: ["intent", "portfolio", "owner"],
  intent_checkpoint: ["intent"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Kind = keyof typeof KINDS;

export interface EntityKey {
  readonly workspace: string;
  readonly kind: Kind;
  readonly id: string;
}

export interface Entity<B = Body> extends EntityKey {
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: B;
}

export function keyText(key: EntityKey): string {
  return `${key.workspace}\u0000${key.kind}\u0000${key.id}`;
}

export type IndexValues = Readonly<Record<string, string | undefined>>;

/** How a body declares its index values; the store calls it for every put. */
export type IndexOf = (kind: Kind, body: Body) => IndexValues;
