/**
 * Uploaded files: the bytes are stored beside the database, their names and hashes on the hold.
 *
 * U1  Bytes are stored before the commit that names them (G2), so every file that a hold names has its bytes.
 * U2  Bytes that no hold names are removed: at once if a commit dropped the file, by the sweep if a crash came first.
 */

import { FILE_BYTES_MAX } from "@holdpoint/protocol/rules";
import type { Entity } from "../kernel/entity.ts";
import { type Failure, failure } from "../kernel/failure.ts";
import { whyNotUpload } from "../kernel/hold/add-file.ts";
import { FILE_USAGE, type FileUsage, type UsedBefore, whyNoRoom } from "../kernel/hold/file-usage.ts";
import { servedFile } from "../kernel/hold/files.ts";
import type { Hold, HoldFile } from "../kernel/hold/hold.ts";
import { linkId } from "../kernel/hold/link.ts";
import { sees } from "../kernel/hold/who.ts";
import type { Principal } from "../kernel/principal.ts";
import type { FileStore } from "../store/file-port.ts";
import { ContentHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";
import type { Commit, Engine } from "./engine.ts";
import type { Holds } from "./holds.ts";

export interface FilesOptions {
  readonly engine: Engine;
  readonly holds: Holds;
  readonly store: FileStore;
  readonly ids: Ids;
  readonly onFault?: (fault: unknown) => void;
}

/** The caller, the hold and the link that the caller uses. */
export interface Visit {
  readonly workspace: string;
  readonly by: Principal;
  readonly holdId: string;
  readonly linkHash?: string;
}

export interface Upload extends Visit {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export type Uploaded =
  | { readonly ok: true; readonly file: HoldFile }
  | { readonly ok: false; readonly failure: Failure; readonly hold?: Entity<Hold> };

export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
}

const SWEEP_MS = 3_600_000;

export class Files {
  readonly #options: FilesOptions;
  readonly #detach: () => void;
  /**
   * Files that no hold named at the last sweep. If the next sweep still finds no hold, no running upload can own
   * them.
   */
  #strays: ReadonlySet<string> = new Set();
  /** What the files of each workspace took at the last sweep: enough for a workspace that no row counts, because none was added. */
  #swept: ReadonlyMap<string, number> | undefined;
  /** Workspaces that this server knows to have files. */
  readonly #workspaces = new Set<string>();
  #cancel: () => void = () => undefined;
  #removing: Promise<unknown> = Promise.resolve();

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#detach = options.engine.onCommit((commit) => this.#forget(commit));
  }

  async start(): Promise<void> {
    const { engine } = this.#options;
    await this.sweep().catch((fault) => this.#options.onFault?.(fault));
    this.#cancel = engine.clock.at(engine.clock.now() + SWEEP_MS, () => void this.start());
  }

  async stop(): Promise<void> {
    this.#cancel();
    this.#detach();
    await this.#removing;
    await this.#options.store.close();
  }

  /** Checked before the bytes are read, so that nobody sends ten megabytes only to be refused. */
  async whyNot(visit: Visit): Promise<Extract<Uploaded, { ok: false }> | null> {
    const found = await this.#visited(visit);
    if (found === undefined)
      return {
        ok: false,
        failure: failure("not_found", "there is no hold with this id, or this caller may not see it"),
      };
    const { fileBytesMax } = this.#options.engine.platform;
    const denied =
      whyNotUpload(found.hold.body, visit.by, found.link) ??
      whyNoRoom((await this.#counted(visit.workspace)) ?? 0, 1, fileBytesMax);
    return denied === null ? null : { ok: false, failure: denied, hold: found.hold };
  }

  async upload({ name, content, ...visit }: Upload): Promise<Uploaded> {
    const denied = await this.whyNot(visit);
    if (denied !== null) return denied;
    const { engine, ids, store } = this.#options;
    const id = `file_${ids.next(engine.clock.now())}_${visit.holdId}`;
    const measured = { bytes: 0, hash: new ContentHash() };
    await store.write(id, counted(content, measured));
    const file = { id, name, sha256: measured.hash.hex(), bytes: measured.bytes };
    const before = await this.#usedBefore(visit.workspace);
    const result = await engine.run({ kind: "add_file", ...visit, file, ...before });
    this.#workspaces.add(visit.workspace);
    if (!result.ok) {
      const { failure, hold } = result;
      await store.remove([id]);
      return { ok: false, failure, ...(hold === undefined ? {} : { hold }) };
    }
    const kept = result.entity.body.files?.find((each) => each.id === id);
    if (kept === undefined) throw new Error(`Invariant: file ${id} was added, but its hold does not have it`);
    return { ok: true, file: kept };
  }

  /** The id of the hold that a file id contains; `undefined`: it is not a file id. */
  holdOf(fileId: string): string | undefined {
    return /^file_[0-9a-z]+_(\w+)$/.exec(fileId)?.[1];
  }

  async read(fileId: string, visit: Visit) {
    const found = await this.#visited(visit);
    const file = found && servedFile(found.hold.body, fileId, visit.by, found.link);
    const content = file && (await this.#options.store.read(fileId));
    return content === undefined || file === undefined ? undefined : { file, content };
  }

  async #visited({ workspace, by, holdId, linkHash }: Visit) {
    const { holds, engine } = this.#options;
    const hold = await holds.get(workspace, holdId);
    const [link] =
      linkHash === undefined
        ? []
        : await engine.store.load([{ workspace, kind: "link", id: linkId(holdId, linkHash), read: true }]);
    const body = link?.body;
    return hold === undefined || !sees(hold.body, by, body) ? undefined : { hold, link: body };
  }

  #forget({ events }: Commit): void {
    for (const { type, data } of events) {
      if (type === "hold.files_dropped") this.#remove(JSON.parse(data).file_ids);
    }
  }

  #remove(ids: readonly string[]): void {
    const { store, onFault } = this.#options;
    this.#removing = this.#removing.then(() => store.remove(ids)).catch((fault) => onFault?.(fault));
  }

  /** Resolves when the bytes of all files dropped so far are removed. */
  async settled(): Promise<void> {
    await this.#removing;
  }

  /** How many bytes the files of a workspace take. */
  async used(workspace: string): Promise<number> {
    const counted = await this.#counted(workspace);
    if (counted !== undefined) return counted;
    this.#swept ??= await this.#usedByWorkspace();
    return this.#swept.get(workspace) ?? 0;
  }

  /** The same for every workspace that has files, for the metrics. */
  async usedByEach(): Promise<readonly { readonly workspace: string; readonly bytes: number }[]> {
    return Promise.all(
      Array.from(this.#workspaces, async (workspace) => ({ workspace, bytes: await this.used(workspace) })),
    );
  }

  /** `undefined`: no upload has counted the files yet. */
  async #counted(workspace: string): Promise<number | undefined> {
    return (await this.#usage(workspace)).bytes;
  }

  async #usage(workspace: string): Promise<FileUsage> {
    const [found] = await this.#options.engine.store.load([{ workspace, ...FILE_USAGE, read: true }]);
    return found?.body ?? {};
  }

  /** The row is read before the files are counted, so that a change meanwhile is noticed when the count is committed. */
  async #usedBefore(workspace: string): Promise<{ readonly usedBefore?: UsedBefore }> {
    const { bytes, changes = 0 } = await this.#usage(workspace);
    if (bytes !== undefined) return {};
    return { usedBefore: { bytes: (await this.#usedByWorkspace()).get(workspace) ?? 0, changes } };
  }

  /** Reads every hold that has files: once for a workspace, before its first file is counted, and in every sweep. */
  async #usedByWorkspace(
    onStray: (id: string) => void = () => undefined,
  ): Promise<ReadonlyMap<string, number>> {
    const { store, engine } = this.#options;
    const used = new Map<string, number>();
    for await (const id of store.list()) {
      const hold = await engine.store.find("hold", this.holdOf(id) ?? "");
      const file = hold?.body.files?.find((each) => each.id === id);
      if (hold === undefined || file === undefined) onStray(id);
      else used.set(hold.workspace, (used.get(hold.workspace) ?? 0) + file.bytes);
    }
    return used;
  }

  async sweep(): Promise<void> {
    const { store } = this.#options;
    const strays = new Set<string>();
    const used = await this.#usedByWorkspace((id) => strays.add(id));
    this.#swept = used;
    for (const workspace of used.keys()) this.#workspaces.add(workspace);
    await store.remove([...strays].filter((id) => this.#strays.has(id)));
    this.#strays = strays;
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  measured: { bytes: number; readonly hash: ContentHash },
): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    measured.bytes += part.length;
    if (measured.bytes > FILE_BYTES_MAX)
      throw new FileTooLarge(`the file is larger than ${FILE_BYTES_MAX} bytes; upload a smaller one`);
    measured.hash.add(part);
    yield part;
  }
}
