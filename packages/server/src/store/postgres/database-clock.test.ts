import { expect, it } from "vitest";
import { SteadyClock } from "../../system/steady-clock.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { DatabaseClock } from "./database-clock.ts";

const HOUR_MS = 3_600_000;
const START = 100 * HOUR_MS;

/** The clock of an engine over the time of a database, and when it woke somebody after an hour, counted in time that really passed. */
function wokenAfterAnHour() {
  const machine = new ManualClock({ startAt: START });
  const database = new DatabaseClock(machine);
  database.set(START);
  const clock = new SteadyClock(database);
  const startedAt = machine.elapsed();
  const woken: number[] = [];
  clock.at(clock.now() + HOUR_MS, () => void woken.push(machine.elapsed() - startedAt));
  return { machine, database, woken };
}

it("C1 C5 a wake comes in time although the machine's clock was set back and nobody has read it since", async () => {
  const { machine, woken } = wokenAfterAnHour();
  await machine.set(START - 24 * HOUR_MS);
  await machine.advance(2 * HOUR_MS);
  expect(woken).toEqual([HOUR_MS]);
});

it("C1 C5 a wake comes in time although the database's clock was set back and nobody has read it since", async () => {
  const { machine, database, woken } = wokenAfterAnHour();
  database.set(START - 24 * HOUR_MS);
  await machine.advance(2 * HOUR_MS);
  expect(woken).toEqual([HOUR_MS]);
});

it("C1 a wake waits out a small correction of the database's clock", async () => {
  const machine = new ManualClock({ startAt: START });
  const database = new DatabaseClock(machine);
  database.set(START);
  const woken: number[] = [];
  database.at(START + 5_000, () => void woken.push(database.now()));
  await machine.advance(4_000);
  database.set(START + 3_500);
  await machine.advance(4_000);
  expect(woken).toEqual([START + 5_000]);
});
