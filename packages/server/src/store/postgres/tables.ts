/** The tables that the embedded store and this one share, to copy one into the other. */

export type Row = Readonly<Record<string, string | number | null>>;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** Columns that both stores have. The key is the order in which a table is copied page by page. */
export const TABLES: readonly Table[] = [
  {
    name: "hold",
    key: ["id", "workspace"],
    columns: [
      ...["workspace", "id", "version", "seq", "head", "status", "creator", "created_at", "thread", "intent"],
      ...["group_id", "previous", "body", "ends_at", "tool", "ask_type", "assignee", "is_opened"],
    ],
  },
  {
    name: "entity",
    key: ["kind", "id", "workspace"],
    columns: ["workspace", "kind", "id", "version", "seq", "head", "body"],
  },
  {
    name: "event",
    key: ["position"],
    columns: [
      ...[
        "position",
        "workspace",
        "stream",
        "seq",
        "type",
        "at",
        "actor",
        "audience",
        "data",
        "previous",
        "hash",
      ],
    ],
  },
  { name: "timer", key: ["workspace", "kind", "id"], columns: ["workspace", "kind", "id", "due_at"] },
  {
    name: "outbox",
    key: ["workspace", "id"],
    columns: [
      ...[
        "workspace",
        "id",
        "kind",
        "endpoint",
        "hold_id",
        "event_stream",
        "event_seq",
        "event_type",
        "detail",
      ],
      ...["state", "attempts", "created_at", "due_at", "claim"],
    ],
  },
];

/** Columns that are not packed: JSON text already escapes U+0000. */
const VERBATIM: ReadonlySet<string> = new Set(["body", "data", "detail", "attempts", "head", "hash"]);

export function isVerbatim(column: string): boolean {
  return VERBATIM.has(column);
}
