/**
 * Compares rows outside of holds with the log that covers them: keys, sessions, people, passkeys, grants, rules and the
 * like. Each event of such an entity has a digest of the fields that give somebody authority, so a row that was changed,
 * added or removed beside the log shows.
 */

import type { Body } from "../kernel/entity.ts";
import { versionId } from "../kernel/gating/gating.ts";
import type { StoredEvent } from "../kernel/record.ts";
import type { Table } from "../kernel/table.ts";
import type { ReadStore } from "../store/port.ts";
import { contentDigest } from "./seal.ts";
import type { Found, Head } from "./verify.ts";
import { readData, walk } from "./verify-rows.ts";

interface Vouched {
  readonly position: number;
  readonly seq: number;
  /** Absent: the row was removed, or a version before wrote the event. */
  readonly row?: string;
}

interface Published {
  readonly position: number;
  readonly digest: unknown;
}

export class VouchedRows {
  readonly #table: Pick<Table, "vouchedKinds" | "vouchedOf">;
  readonly #kinds: ReadonlySet<string>;
  readonly #last = new Map<string, Vouched>();
  readonly #published = new Map<string, Published>();

  constructor(table: Pick<Table, "vouchedKinds" | "vouchedOf">) {
    this.#table = table;
    this.#kinds = new Set(table.vouchedKinds);
  }

  add({ workspace, stream, position, seq, type, data }: StoredEvent): void {
    if (!this.#kinds.has(stream.slice(0, stream.indexOf(":")))) return;
    const read = readData(data);
    const { row } = read;
    const vouched = { position, seq, ...(typeof row === "string" ? { row } : {}) };
    this.#last.set(`${workspace}\u0000${stream}`, vouched);
    if (type === "rules.published" && typeof read["version"] === "number")
      this.#published.set(`${workspace}\u0000${versionId(read["version"])}`, {
        position,
        digest: read["digest"],
      });
  }

  async check(
    store: ReadStore,
    workspaces: Iterable<string>,
    heads: ReadonlyMap<string, Head>,
    breaks: Found[],
  ): Promise<void> {
    const seen = new Set<string>();
    for (const workspace of workspaces) {
      for (const kind of this.#kinds) {
        for await (const entity of walk(store, workspace, kind)) {
          const stream = `${kind}:${entity.id}`;
          const name = `${workspace}\u0000${stream}`;
          seen.add(name);
          const what = this.#whyNot(kind, entity, this.#last.get(name), heads.get(name));
          if (what === null) continue;
          const { position = 0, seq = entity.seq } = this.#last.get(name) ?? {};
          breaks.push({ workspace, position, stream, seq, what });
        }
      }
      await this.#checkRules(store, workspace, breaks);
    }
    for (const [name, { row, position, seq }] of this.#last) {
      const [workspace = "", stream = ""] = name.split("\u0000");
      if (row !== undefined && !seen.has(name))
        breaks.push({ workspace, position, stream, seq, what: "its row is missing" });
    }
  }

  #whyNot(
    kind: string,
    entity: { readonly id: string; readonly seq: number; readonly head: string; readonly body: Body },
    last: Vouched | undefined,
    head: Head | undefined,
  ): string | null {
    if (last === undefined) return "its log is missing";
    if (head?.seq !== entity.seq || head.hash !== entity.head)
      return "its log does not end at the event that its row names";
    const vouched = this.#table.vouchedOf(kind, entity.body);
    if (last.row === undefined || vouched === undefined) return null;
    return contentDigest(vouched, entity.id) === last.row ? null : "its row was changed";
  }

  /** A published set of rules is a row of its own; the event has its digest. */
  async #checkRules(store: ReadStore, workspace: string, breaks: Found[]): Promise<void> {
    for await (const { id, body } of walk(store, workspace, "rules_version")) {
      const published = this.#published.get(`${workspace}\u0000${id}`);
      if (published !== undefined && contentDigest(body.set, "") === published.digest) continue;
      const what =
        published === undefined
          ? `the log does not know version ${body.version} of the rules`
          : `version ${body.version} of the rules was changed`;
      breaks.push({ workspace, position: published?.position ?? 0, stream: `rules:${id}`, seq: 0, what });
    }
  }
}
