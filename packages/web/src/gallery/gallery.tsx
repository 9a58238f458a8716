import type { ReactNode } from "react";
export function Gallery(): ReactNode {
  return null;
}
