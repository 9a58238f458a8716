/** Loads what the commands of a batch need. */

import type { AnyCommand } from "../kernel/domain.ts";
import { keyText } from "../kernel/entity.ts";
import type { Table } from "../kernel/table.ts";
import type { Batch, LoadRoom, Want } from "../store/port.ts";
import type { Immutables } from "./immutables.ts";
import type { NeedsView, Overlay } from "./overlay.ts";

/** What a command needs, and what it read to decide that; `undefined`: its `needs` threw. */
export type Needed = { readonly wants: readonly Want[]; readonly view: NeedsView } | undefined;

export interface LoadParts {
  readonly table: Table;
  readonly overlay: Overlay;
  readonly open: Batch;
  readonly room: LoadRoom;
  readonly immutables: Immutables;
}

/**
 * How many of the rows that are only needed `ifRoom` the first load asks for; each load after it asks for twice as many as the one
 * before. A database sends all that it is asked for, also where the first rows take up the room.
 */
const IF_ROOM_FIRST = 16;

export class BatchLoad {
  readonly #parts: LoadParts;
  /**
   * There was no room for a row without which its command goes on. No others like it are asked for: a database would send them all,
   * to be left out as well.
   */
  #isFull = false;
  #ifRoomMax = IF_ROOM_FIRST;

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  /**
   * Calls `needs` of every command until none names anything new, with one load per round for the whole batch. A command is
   * asked again only if it would read something else than before. Where the room ends, so does the batch: only the first
   * commands have what they need.
   */
  async neededBy(all: readonly AnyCommand[]): Promise<readonly Needed[]> {
    const { overlay, open, room, immutables } = this.#parts;
    let commands = all;
    let needed: readonly Needed[] = [];
    for (;;) {
      const before = needed;
      needed = commands.map((command, at) =>
        before[at]?.view.isCurrent === true ? before[at] : this.#neededIfKnown(command),
      );
      const wants = this.#wanted(needed);
      if (wants.length === 0) return needed;
      room.free = needed[0]?.wants.filter(isNeededAtAll) ?? [];
      const found = await immutables.load(wants, open, room);
      const refused = room.takeRefused();
      if (refused.length === 0) {
        overlay.fill(wants, found);
        continue;
      }
      const names = new Set(refused.map(keyText));
      const isRefused = (want: Want) => names.has(keyText(want));
      overlay.fill(
        wants.filter((want) => !isRefused(want)),
        found,
      );
      const cut = needed.findIndex((each) =>
        each?.wants.some((want) => isNeededAtAll(want) && isRefused(want)),
      );
      if (cut >= 0) commands = commands.slice(0, cut);
      else this.#isFull = true;
    }
  }

  /** Calls `needs` again only if the command would read something else than before. */
  needsMore(command: AnyCommand, needed: Needed): boolean {
    if (needed?.view.isCurrent === true) return false;
    const { wants } = this.#neededBy(command);
    return wants.some((want) => isNeededAtAll(want) && !this.#parts.overlay.has(want));
  }

  /** What to load next: every row once, and last those that are only needed if there is room. */
  #wanted(needed: readonly Needed[]): readonly Want[] {
    const atAll = new Map<string, Want>();
    const ifRoom = new Map<string, Want>();
    for (const each of needed) {
      for (const want of each?.wants ?? []) {
        if (this.#parts.overlay.has(want)) continue;
        const name = keyText(want);
        if (isNeededAtAll(want)) atAll.set(name, together(atAll.get(name), want));
        else ifRoom.set(name, together(ifRoom.get(name), want));
      }
    }
    if (ifRoom.size === 0) return [...atAll.values()];
    const others: Want[] = [];
    for (const [name, want] of ifRoom) {
      const known = atAll.get(name);
      if (known === undefined) others.push(want);
      else if (known.read === true && want.read !== true) atAll.set(name, lockedAtAll(known));
    }
    if (this.#isFull) return [...atAll.values()];
    const most = this.#ifRoomMax;
    this.#ifRoomMax *= 2;
    return [...atAll.values(), ...others.slice(0, most)];
  }

  #neededBy(command: AnyCommand): NonNullable<Needed> {
    const { workspace } = command;
    const view = this.#parts.overlay.needsView(workspace);
    const needs = this.#parts.table.needs(command, view);
    return { wants: needs.map((need): Want => ({ workspace, ...need })), view };
  }

  /** The error of a command whose `needs` throw is reported when it is decided, like that of a decision. */
  #neededIfKnown(command: AnyCommand): Needed {
    try {
      return this.#neededBy(command);
    } catch {
      return undefined;
    }
  }
}

function isNeededAtAll({ ifRoom }: Want): boolean {
  return ifRoom !== true;
}

/** If one command writes the entity and others only read it, it is locked. */
function together(known: Want | undefined, want: Want): Want {
  return known === undefined || (known.read === true && want.read !== true) ? want : known;
}

function lockedAtAll({ workspace, kind, id }: Want): Want {
  return { workspace, kind, id };
}
