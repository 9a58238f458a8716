/** What an HTTP operation is, as data: any face can declare its own and have them mounted and documented. */

import type * as z from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `key`: bearer API key or `X-API-Key` · `link`: the token of a review link · `session`: console sign-in. */
export type Security = "key" | "link" | "session" | "none";

export interface Operation<ErrorCode extends string = string> {
  readonly id: string;
  readonly method: Method;
  /** Parameters stand in braces: `/v1/holds/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is a file: read by the handler, as it comes. */
  readonly bytes?: true;
  /** What each good status carries; `null`: no content. */
  readonly replies: Readonly<Record<number, z.ZodType | null>>;
  /** Media type of the replies when it is not JSON. */
  readonly media?: string;
  readonly errors: readonly ErrorCode[];
  readonly security: Security;
  /** It also takes a browser token, and cross-origin requests of configured origins. */
  readonly browser?: true;
}

/** Keeps the exact types of what it is given, so that a handler's input follows from its declaration. */
export function defineOperation<const Declared extends Operation>(operation: Declared): Declared {
  return operation;
}
