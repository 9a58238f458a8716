/** Files that a person chooses in the app: passed on to the hold behind the interrupt, and named in the resume's payload. */

import { type FileClient, type HoldClient, isTerminalError } from "../../client/index.ts";
import { FILE_BYTES_MAX } from "../../rules/index.ts";
import { interruptOf } from "../index.ts";

export interface FileRequest {
  readonly threadId: string;
  readonly interruptId: string;
  readonly name: string;
  /** Who uploads it. */
  readonly person: string;
}

export type FileReply = { readonly status: number; readonly body: object };

export async function passOn(
  holdpoint: HoldClient & Partial<FileClient>,
  request: FileRequest,
  read: (bytesMax: number) => Promise<Uint8Array<ArrayBuffer> | null>,
): Promise<FileReply> {
  const { threadId, interruptId, name, person } = request;
  if (holdpoint.uploadFile === undefined) return { status: 404, body: { error: "files are not taken here" } };
  try {
    const hold = await holdpoint.get(interruptId);
    // An interrupt of another conversation is none of this one's business.
    if (hold.threadId !== threadId || interruptOf(hold) === null) return NO_SUCH;
    if (hold.status !== "open") return { status: 409, body: { error: "it was answered already" } };
    const content = await read(FILE_BYTES_MAX);
    if (content === null) return { status: 413, body: { error: `at most ${FILE_BYTES_MAX} bytes` } };
    return {
      status: 201,
      body: await holdpoint.uploadFile(interruptId, { name, content, claimedName: person }),
    };
  } catch (error) {
    if (!isTerminalError(error)) throw error;
    if (error.code === "not_found") return NO_SUCH;
    return { status: error.status ?? 400, body: { error: error.message, code: error.code } };
  }
}

const NO_SUCH: FileReply = { status: 404, body: { error: "this thread has no interrupt with this id" } };
