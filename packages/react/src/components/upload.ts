/** Uploads a chosen file. The app that shows holds provides the function; file fields call it. */

import type { FileRef } from "@holdpoint/protocol/rules";
import { createContext, useContext } from "react";

/** Sends a file and gives what an answer names it by; what it throws is shown beside the field. */
export type Upload = (file: File) => Promise<FileRef>;

const Current = createContext<Upload | null>(null);

export const UploadProvider = Current;

/** `null`: nobody said how, so files go with the form itself. */
export function useUpload(): Upload | null {
  return useContext(Current);
}
