/**
 * The matrix: every placement by every door by every ending, on whatever servers it is given. `npm test` plays every ending of every
 * placement, answered through the placement's own doors and two others, so that every door is used; `npm run test:full` plays all.
 */

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DOORS, type Door, type DoorName, doorNames, whyClosed } from "./doors.ts";
import { answered, CANCELLED, type Ending, EXPIRED } from "./endings.ts";
import { PLACEMENTS, type Placed, type PlacementName } from "./placements.ts";
import { race } from "./races.ts";
import { REACHABLE } from "./reachable.ts";
import { chainsVerify, chatsClose, endsOnce, seeSameEnding, toldOnce, wait } from "./witnesses.ts";
import type { World } from "./world.ts";

export interface MatrixOptions {
  /** Costly doors come late to every placement, not to one of them. */
  readonly isThorough?: boolean;
  /** How often all doors are tried at once, and which take part besides those that are a request. */
  readonly races: readonly { readonly rounds: number; readonly costs?: readonly Door["cost"][] }[];
}

export function matrixSuite(
  name: string,
  open: () => Promise<World>,
  { isThorough = false, races }: MatrixOptions,
): void {
  const play = (world: World, placement: PlacementName, ending: Ending) =>
    playCell(world, placement, ending, isThorough);
  describe(`one hold, every door, on ${name}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      if (world !== undefined) {
        await chainsVerify(world);
        await world[Symbol.asyncDispose]();
      }
    });

    for (const [at, placement] of placementNames.entries()) {
      for (const door of inject("isFull") ? doorsOf(placement) : fewDoors(placement, at)) {
        test(`${placement} × ${door} × answered`, () => play(world, placement, answered(door)));
      }
      test(`${placement} × nobody × expired`, () => play(world, placement, EXPIRED));
      test(`${placement} × who asked × cancelled`, () => play(world, placement, CANCELLED));
      test(`${placement}: what is not reachable is not offered`, async () => {
        const placed = await PLACEMENTS[placement](world);
        for (const door of doorNames) {
          const why = REACHABLE[placement][door];
          expect(whyClosed(door, placed), door).toBe(why === true ? null : why);
        }
        await CANCELLED.end(world, placed);
      });
    }

    for (const { rounds, costs = [] } of races) {
      const doors = ["every door", ...costs.map((cost) => `a ${cost} each`)].join(" and ");
      test(`G1 ${doors} at one hold at once, ${rounds} times: one wins`, { timeout: 600_000 }, () =>
        race(world, rounds, costs),
      );
    }
  });
}

const placementNames = Object.keys(PLACEMENTS) as readonly PlacementName[];

function doorsOf(placement: PlacementName): readonly DoorName[] {
  return doorNames.filter((door) => REACHABLE[placement][door] === true);
}

const isOpenToAll = (door: DoorName) => placementNames.every((each) => REACHABLE[each][door] === true);

/** The next two of the doors that every placement has, and those that are its own. */
function fewDoors(placement: PlacementName, at: number): readonly DoorName[] {
  const common = doorNames.filter(isOpenToAll);
  const turns = [2 * at, 2 * at + 1].map((turn) => common[turn % common.length]);
  return doorsOf(placement).filter((door) => !isOpenToAll(door) || turns.includes(door));
}

async function playCell(
  world: World,
  placement: PlacementName,
  ending: Ending,
  isThorough: boolean,
): Promise<void> {
  const placed = await PLACEMENTS[placement](world);
  const late = doorsOf(placement).filter((name) => {
    const { cost }: Door = DOORS[name];
    return name !== ending.door && (cost === undefined || isToldApart(placement, ending, isThorough));
  });
  const used = ending.door === undefined ? late : [ending.door, ...late];
  for (const door of used) await prepare(world, placed, DOORS[door]);
  const waiters = await wait(world, placed);
  expect(await ending.end(world, placed)).toBe("accepted");
  await waiters.heard(ending.kind);
  await seeSameEnding(world, placed, ending.kind);
  await chatsClose(world, placed);
  for (const name of late) {
    const door: Door = DOORS[name];
    const said = await (door.differ ?? door.answer)(world, placed);
    expect(said, `${name} after ${ending.kind}`).not.toBe("accepted");
    expect(said, `${name} after ${ending.kind}`).toMatch(door.late[ending.kind]);
  }
  await seeSameEnding(world, placed, ending.kind);
  await toldOnce(world, placed, ending.kind);
  await endsOnce(world, placed);
  waiters.heardOnce(ending.kind);
}

/** What costly doors say of an ending does not depend on the door that it came through, and hardly on who placed it. */
function isToldApart(placement: PlacementName, { door }: Ending, isThorough: boolean): boolean {
  if (door !== undefined && door !== "native REST") return false;
  return isThorough || placement === "native REST";
}

async function prepare(world: World, placed: Placed, door: Door): Promise<void> {
  await door.prepare?.(world, placed);
}
