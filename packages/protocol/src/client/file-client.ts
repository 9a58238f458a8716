/** Files for answers, wherever the server is. */

import type { FileRef } from "../rules/file-ref.ts";
import type { CallOptions } from "./hold-client.ts";

export interface FileGiven {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer> | Blob;
  /** Of an app: for which of its users. */
  readonly claimedName?: string;
}

/** The same as an answer names it by. */
export type UploadedFile = FileRef & { readonly bytes: number };

export interface FileClient {
  /** At most 10 MiB, to a hold that asks for a file. */
  uploadFile(holdId: string, file: FileGiven, options?: CallOptions): Promise<UploadedFile>;
  downloadFile(fileId: string, options?: CallOptions): Promise<Uint8Array>;
}
