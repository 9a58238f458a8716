import type { ReactNode } from "react";
export function Playground(_: { readonly beat: number }): ReactNode {
  return null;
}
