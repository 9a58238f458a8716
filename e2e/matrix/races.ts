/** All doors at once at one hold: one of them wins, every other is told. */

import { expect } from "vitest";
import { DOORS, type Door, doorNames } from "./doors.ts";
import { CANCELLED } from "./endings.ts";
import { PLACEMENTS, type PlacementName } from "./placements.ts";
import { REACHABLE } from "./reachable.ts";
import { endsOnce } from "./witnesses.ts";
import type { World } from "./world.ts";

const placements = Object.keys(PLACEMENTS) as readonly PlacementName[];

const ROUNDS_IN_A_ROW = 20;

/** `costs`: which doors take part besides those that are a request. */
export async function race(world: World, rounds: number, costs: readonly Door["cost"][] = []): Promise<void> {
  const winners = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const placement = placements[round % placements.length] as PlacementName;
    winners.add(await raceOnce(world, placement, round, [undefined, ...costs]));
  }
  // A race that the same door always wins is none, but it may win a few in a row.
  if (rounds > ROUNDS_IN_A_ROW) expect(winners.size).toBeGreaterThan(1);
}

/** Who won. */
async function raceOnce(
  world: World,
  placement: PlacementName,
  round: number,
  costs: readonly Door["cost"][],
): Promise<string> {
  const placed = await PLACEMENTS[placement](world);
  const doors = doorNames.filter((name) => {
    const door: Door = DOORS[name];
    return REACHABLE[placement][name] === true && costs.includes(door.cost);
  });
  for (const name of doors) {
    const door: Door = DOORS[name];
    await door.prepare?.(world, placed);
  }
  const racers = doors.map((name) => {
    const door: Door = DOORS[name];
    return { name: name as string, run: () => (door.differ ?? door.answer)(world, placed) };
  });
  racers.push({ name: "who asked takes it back", run: () => CANCELLED.end(world, placed) });
  // Whoever is called first has the better start, so everybody is in turn.
  const order = [...racers.slice(round % racers.length), ...racers.slice(0, round % racers.length)];
  const said = await Promise.all(order.map(async ({ name, run }) => ({ name, said: await run() })));
  const won = said.filter((each) => each.said === "accepted").map(({ name }) => name);
  expect(won, `${placement}: ${JSON.stringify(said)}`).toHaveLength(1);
  await endsOnce(world, placed);
  return won[0] ?? "";
}
