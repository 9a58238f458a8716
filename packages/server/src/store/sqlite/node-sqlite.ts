/**
 * Node's SQLite. It is not imported, because an old Node would then fail with a stack trace before `needs-node.ts` can say which
 * Node is needed.
 */

// Absent on old Nodes; then nobody gets as far as using it.
const sqlite: typeof import("node:sqlite") | undefined = process.getBuiltinModule("node:sqlite");

export const { DatabaseSync, backup } = sqlite ?? ({} as typeof import("node:sqlite"));
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
