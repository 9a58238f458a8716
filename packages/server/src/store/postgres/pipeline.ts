/**
 * Sends statements in groups: one packet and one Sync for all statements of a group. The driver's own pipelining ends
 * every statement with a Sync, and the database then writes every reply to the socket by itself, which is a large part
 * of the cost of short statements on both sides.
 */

import { Socket } from "node:net";
import type pg from "pg";
import { serialize } from "pg-protocol";
import { arrayText, type Element } from "./array-text.ts";
import { statementName, TYPES } from "./sql.ts";

export interface Reply {
  readonly rows: readonly object[];
  /** What the database says that it did, such as `SELECT 1`. */
  readonly tag: string;
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (reply: Reply) => void;
  readonly reject: (fault: unknown) => void;
}

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** The columns of the statements that a session has prepared, by the name of the statement. */
type Prepared = Map<string, readonly Column[]>;

export class Pipeline {
  readonly #client: pg.Client;
  /** `null`: the stream is no socket, and nothing limits the time of replies. */
  readonly #socket: Socket | null;
  readonly #replyMs: number;
  readonly #prepared: Prepared = new Map();
  #open: Statement[] | null = null;
  #running: Group | null = null;

  /**
   * The connection is lost if a group has no reply after `replyMs`. The client must not pipeline statements itself: it
   * refuses groups then.
   */
  constructor(client: pg.Client, replyMs: number) {
    this.#client = client;
    this.#replyMs = replyMs;
    // The socket has one timer for all groups; the driver's time limit starts a timer for each of them.
    const { stream } = client.connection;
    this.#socket = stream instanceof Socket ? stream : null;
    // It goes off on an idle connection too. A listener that is passed to `setTimeout` would be gone after that.
    this.#socket?.on("timeout", () => this.#giveUp());
    this.#socket?.setTimeout(replyMs);
  }

  /** Outside of `together`, the statement is a group of its own. */
  query({ name, text, values }: pg.QueryConfig<unknown[]>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const statement = { name: name ?? statementName(text), text, values: values ?? [], resolve, reject };
      if (this.#open === null) this.#send([statement]);
      else this.#open.push(statement);
    });
  }

  /**
   * The statements that `ask` issues are one group. The database runs none that comes after a failed one; they are
   * rejected with the same error.
   */
  together<T>(ask: () => T): T {
    const group: Statement[] = [];
    this.#open = group;
    try {
      return ask();
    } finally {
      this.#open = null;
      if (group.length > 0) this.#send(group);
    }
  }

  /** Ends the connection after the replies to what was sent. */
  async end(): Promise<void> {
    await this.#running?.ended;
    await this.#client.end();
  }

  #send(statements: readonly Statement[]): void {
    const group = new Group(statements, this.#prepared);
    this.#running = group;
    this.#client.query(group);
    // Writing restarts the timer. A group that waits for the reply to another statement has written nothing yet, and
    // the timer may have gone off before the group came.
    if (!group.isSubmitted) this.#socket?.setTimeout(this.#replyMs);
  }

  #giveUp(): void {
    if (this.#running === null || this.#running.hasEnded) return;
    this.#running.handleError(new Error(`timeout: the database did not reply within ${this.#replyMs} ms`));
    this.#client.end().catch(() => undefined);
  }
}

interface Described {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What the driver calls while it sends a group and reads the replies. Exported for measurements. */
export class Group implements pg.Submittable {
  readonly ended: Promise<void>;
  hasEnded = false;
  isSubmitted = false;
  readonly #end: () => void;
  readonly #statements: readonly Statement[];
  readonly #prepared: Prepared;
  /** How many statements have completed. */
  #done = 0;
  #columns: readonly Column[] = [];
  #rows: object[] = [];

  constructor(statements: readonly Statement[], prepared: Prepared) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#statements = statements;
    this.#prepared = prepared;
  }

  get size(): number {
    return this.#statements.length;
  }

  /** Called when the replies to everything before are there. The driver rejects the group if an error is returned. */
  submit({ stream }: pg.Connection): unknown {
    this.isSubmitted = true;
    // Only now: the group before may have prepared the same statements.
    this.#expect();
    let messages: Buffer;
    try {
      messages = this.#messages();
    } catch (fault) {
      return fault;
    }
    if (stream.writable) stream.write(messages);
    return null;
  }

  handleRowDescription({ fields }: Described): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: TYPES.getTypeParser(dataTypeID, "text"),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    let at = 0;
    for (const { name, read } of this.#columns) {
      const text = fields[at] ?? null;
      row[name] = text === null ? null : read(text);
      at += 1;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#statements[this.#done];
    if (statement === undefined) throw new Error("Invariant: the database replied to more than was sent");
    const rows = this.#rows;
    if (!this.#prepared.has(statement.name)) this.#prepared.set(statement.name, this.#columns);
    this.#done += 1;
    this.#expect();
    statement.resolve({ rows, tag: text });
  }

  handleReadyForQuery(): void {
    this.hasEnded = true;
    this.#end();
  }

  handleError(fault: Error): void {
    const [failed, ...others] = this.#statements.slice(this.#done);
    this.#done = this.#statements.length;
    // A statement whose result has changed is prepared again.
    if (failed !== undefined) this.#prepared.delete(failed.name);
    failed?.reject(fault);
    for (const { reject } of others) reject(fault);
    this.handleReadyForQuery();
  }

  #messages(): Buffer {
    const messages: Buffer[] = [];
    for (const { name, text, values } of this.#statements) {
      const isNew = !this.#prepared.has(name);
      // If a group that failed later has prepared it, preparing it again would be refused.
      if (isNew) messages.push(serialize.close({ type: "S", name }), serialize.parse({ name, text }));
      messages.push(serialize.bind({ statement: name, values: values.map(valueText) }));
      if (isNew) messages.push(serialize.describe({ type: "P" }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    return Buffer.concat(messages);
  }

  #expect(): void {
    const next = this.#statements[this.#done];
    this.#columns = (next && this.#prepared.get(next.name)) ?? [];
    this.#rows = [];
  }
}

function valueText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? arrayText(value as readonly Element[], (each) => each) : String(value);
}
