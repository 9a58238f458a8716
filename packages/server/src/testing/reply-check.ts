/** Compares replies with what their operations declare, so that no test can pass on a reply the reference does not show. */

import type { Operation, OperationSet } from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { HttpReply } from "../faces/http/respond.ts";

export class ReplyCheck {
  readonly wrong: string[] = [];
  #sets: readonly OperationSet[] = [];

  of(sets: readonly OperationSet[]): void {
    this.#sets = sets;
  }

  look(operation: Operation, reply: HttpReply): void {
    const why = this.#whyWrong(operation, reply);
    if (why !== undefined) this.wrong.push(`${operation.id} → ${reply.status}: ${why}`);
  }

  /** Throws what was wrong, once. */
  assert(): void {
    if (this.wrong.length > 0) throw new Error(this.wrong.splice(0).join("\n"));
  }

  #whyWrong(operation: Operation, { status, body }: HttpReply): string | undefined {
    // What is in a 304 is what the reader already has.
    if (status === 304) return body === undefined ? undefined : "a 304 has no body";
    const declared = operation.replies[status];
    if (declared === null) return body === undefined ? undefined : "it has a body";
    if (declared !== undefined) return whyNot(declared, body);
    const set = this.#sets.find(({ operations }) => operations.some(({ id }) => id === operation.id));
    if (set === undefined) return "no face declares this operation";
    const code = set.errors.codeOf?.(body as JsonObject);
    const known = [...operation.errors, ...(set.errors.always ?? [])];
    if (set.errors.codeOf !== undefined && (code === undefined || !known.includes(code)))
      return `${code} is not declared`;
    return whyNot(set.errors.body, body);
  }
}

function whyNot(schema: NonNullable<Operation["body"]>, body: unknown): string | undefined {
  // What the wire carries, not what the handler had in hand: a string is JSON already, or is no JSON at all.
  const sent = typeof body === "string" ? parsed(body) : JSON.parse(JSON.stringify(body));
  const read = schema.safeParse(sent);
  return read.success ? undefined : read.error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
