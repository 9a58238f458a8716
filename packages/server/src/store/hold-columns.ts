/** The columns of the `hold` table that the indexes of a hold are stored in; both databases have the same. */

import type { Query } from "./port.ts";

const COLUMN_OF_INDEX: Readonly<Record<string, string>> = {
  status: "status",
  thread: "thread",
  intent: "intent",
  group: "group_id",
  previous: "previous",
};

/** Columns and the values they must have: the leading columns of an index. */
export type FixedColumns = Readonly<Record<string, string>>;

export function fixedColumns({ name, value }: NonNullable<Query["index"]>): FixedColumns {
  return name === "creator_status" ? splitCreatorStatus(value) : { [COLUMN_OF_INDEX[name] as string]: value };
}

/** A status never contains the separator; a creator's name may contain anything. */
function splitCreatorStatus(value: string): FixedColumns {
  const at = value.lastIndexOf("\u0000");
  return { creator: value.slice(0, at), status: value.slice(at + 1) };
}
