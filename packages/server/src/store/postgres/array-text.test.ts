import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { arrayText, type Element } from "./array-text.ts";
import { connect, readAddress } from "./connect.ts";

let database: TestDatabase;
const same = (value: Element) => value;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

it("arrayText writes arrays that PostgreSQL reads back unchanged", async () => {
  const { client } = await connect(readAddress(database.url));
  const text = fc.oneof(
    fc.string({ unit: "binary" }).map((value) => value.replaceAll("\u0000", "").toWellFormed()),
    fc.json(),
    fc.constantFrom("", "NULL", "null", '"', "\\", '\\"', "{a,b}", "line\nbreak", '"\n"', "\u0001\u2028"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (values) => {
      const { rows } = await client.query("SELECT $1::text[] AS got", [arrayText(values, same)]);
      expect(rows[0].got).toEqual(values);
    }),
    { numRuns: 300 },
  );
  const others: Element[] = [1, -2.5, null, undefined, 9_007_199_254_740_991];
  const { rows } = await client.query("SELECT $1::float8[] AS numbers, $2::bool[] AS truths", [
    arrayText(others, same),
    arrayText([true, false, null], same),
  ]);
  expect(rows[0]).toEqual({
    numbers: [1, -2.5, null, null, 9_007_199_254_740_991],
    truths: [true, false, null],
  });
  await client.end();
});
