/** The commands of releases. Each is one commit, before or after the request to the agent. */

import type { Engine } from "../../engine/engine.ts";
import { type Principal, SYSTEM } from "../../kernel/principal.ts";
import type { FinishRelease } from "../rules/release/commands.ts";
import type { Release } from "../rules/release/release.ts";

export class Releases {
  readonly #engine: Engine;
  readonly #leaseMs: number;

  constructor(engine: Engine, leaseMs: number) {
    this.#engine = engine;
    this.#leaseMs = leaseMs;
  }

  async open(workspace: string, by: Principal, given: Omit<Release, StatedByTheCore>): Promise<void> {
    const { id: groupId, ...rest } = given;
    const result = await this.#engine.run({ kind: "open_release", workspace, by, groupId, ...rest });
    if (!result.ok) throw new Error(result.failure.message);
  }

  /** The group that a hold belongs to. */
  async groupOf(workspace: string, holdId: string): Promise<string> {
    const [found] = await this.#engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
    const groupId = found?.body.groupId;
    if (groupId === undefined) throw new Error("an interrupt is a member of a group");
    return groupId;
  }

  /** Returns the stored release; its fence says which server owns it. */
  async begin(workspace: string, groupId: string, fenceId: string): Promise<Release> {
    const leaseMs = this.#leaseMs;
    const command = { kind: "begin_release", workspace, by: SYSTEM, groupId, fenceId, leaseMs } as const;
    const result = await this.#engine.run(command);
    if (!result.ok) throw new Error(result.failure.message);
    return result.entity.body;
  }

  async finish(
    workspace: string,
    groupId: string,
    fenceId: string,
    state: FinishRelease["state"],
    error?: string,
  ): Promise<void> {
    const how = error === undefined ? { state } : { state, error };
    await this.#engine.run({ kind: "finish_release", workspace, by: SYSTEM, groupId, fenceId, ...how });
  }

  /** Renews the fence until the returned function is called. A server that cannot write loses its fence, as intended. */
  renewing(workspace: string, groupId: string, fenceId: string): () => void {
    const { clock } = this.#engine;
    const leaseMs = this.#leaseMs;
    let cancel: () => void = () => undefined;
    let isOver = false;
    const later = () => {
      cancel = clock.at(clock.now() + leaseMs / 3, () => {
        const command = { kind: "renew_release", workspace, by: SYSTEM, groupId, fenceId, leaseMs } as const;
        void this.#engine
          .run(command)
          .catch(() => undefined)
          .then(() => {
            if (!isOver) later();
          });
      });
    };
    later();
    return () => {
      isOver = true;
      cancel();
    };
  }
}

type StatedByTheCore =
  | "state"
  | "openedAt"
  | "changedAt"
  | "attempt"
  | "createdBy"
  | "fence"
  | "error"
  | "dueAt"
  | "handedAt"
  | "decidedBy";
