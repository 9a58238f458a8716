/** Approval requests kept in memory, with people who decide when the test says so. */

import type { Uses } from "@holdpoint/protocol/rules";
import type { Approval, ApprovalRequest, Approvals, ApprovalTicket, Execution } from "./approvals.ts";
import { isLive } from "./approvals.ts";
import type { ApprovalState } from "./state.ts";

interface Row {
  readonly id: string;
  readonly request: ApprovalRequest;
  state: ApprovalState;
  usesLeft: Uses;
  approval?: Approval;
  execution?: Execution;
}

export interface Desk {
  readonly approvals: Approvals;
  readonly requests: readonly ApprovalRequest[];
  approve(key: string, approval: Omit<Approval, "by">): void;
  settle(key: string, state: "rejected" | "expired" | "dismissed"): void;
  revoke(key: string, revokedAt: string): void;
  /** The newest claim's host is never heard of again. */
  lose(key: string): void;
  release(key: string): void;
  execution(key: string): Execution | undefined;
}

export function createDesk(): Desk {
  const rows: Row[] = [];
  const newest = (key: string) => rows.findLast((row) => row.request.key === key);
  const known = (key: string): Row => {
    const row = newest(key);
    if (row === undefined) throw new Error(`nobody has requested ${key}`);
    return row;
  };
  const ticket = ({ id, request, state, usesLeft, approval, execution }: Row): ApprovalTicket => ({
    ...{ id, key: request.key, state, usesLeft },
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
  });
  return {
    get requests() {
      return rows.map(({ request }) => request);
    },
    approvals: {
      request: async (request) => {
        const row = newest(request.key);
        if (row !== undefined && isLive(ticket(row), request)) return ticket(row);
        const opened: Row = { id: `h${rows.length + 1}`, request, state: "pending", usesLeft: request.uses };
        rows.push(opened);
        return ticket(opened);
      },
      find: async (key) => {
        const row = newest(key);
        return row === undefined ? null : ticket(row);
      },
      claim: async ({ id }) => {
        const row = rows.find((candidate) => candidate.id === id);
        const isBusy = row?.execution === "claimed" || row?.execution === "unknown";
        if (
          row?.state !== "approved" ||
          row.usesLeft === 0 ||
          isBusy ||
          row.approval?.revokedAt !== undefined
        ) {
          return { kind: "refused", ...(row?.execution === undefined ? {} : { execution: row.execution }) };
        }
        if (row.usesLeft !== "unlimited") row.usesLeft -= 1;
        row.execution = "claimed";
        return { kind: "claimed", claimId: `${id}-claim` };
      },
      report: async ({ id }, _claimId, { ok }) => {
        const row = rows.find((candidate) => candidate.id === id);
        if (row !== undefined) row.execution = ok ? "done" : "failed";
      },
    },
    approve: (key, approval) => {
      const row = known(key);
      row.state = "approved";
      row.approval = { ...approval, by: "ada" };
    },
    settle: (key, state) => {
      known(key).state = state;
    },
    revoke: (key, revokedAt) => {
      const row = known(key);
      row.approval = { ...row.approval!, revokedAt };
    },
    lose: (key) => {
      known(key).execution = "unknown";
    },
    release: (key) => {
      const row = known(key);
      if (row.usesLeft !== "unlimited") row.usesLeft += 1;
      delete row.execution;
    },
    execution: (key) => newest(key)?.execution,
  };
}
