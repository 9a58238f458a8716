/** The address of a file that an answer names. The app that shows settled holds provides it. */

import { type FileRef, isFileRef, type Json } from "@holdpoint/protocol/rules";
import { createContext, useContext } from "react";

export type FileHref = (fileId: string) => string;

const Current = createContext<FileHref | null>(null);

export const FileHrefProvider = Current;

/** The file and its address; `null`: it names none, or nobody said where. */
export function useFile(value: Json): { readonly name: string; readonly href: string } | null {
  const hrefOf = useContext(Current);
  if (hrefOf === null || !isFileRef(value)) return null;
  const { file_id: id, name } = value as FileRef;
  return { name, href: hrefOf(encodeURIComponent(id)) };
}
