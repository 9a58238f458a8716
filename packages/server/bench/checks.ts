/** What a check costs beside placing a hold, and how that grows with the number of rules and grants. */

import { type Child, discard, startChild } from "./child.ts";
import { GRANTED_TOOL } from "./fill.ts";
import { drive, median, type Sample, type Wire, wireTo } from "./load.ts";
import type { Result } from "./result.ts";
import { warmUp } from "./warm-up.ts";

const GROWTH_MAX = 1.3;
const ASK = { type: "approval", prompt: "Refund 40 EUR to a customer?", context: { amount: 40 } };

interface Side {
  readonly child: Child;
  readonly wire: Wire;
}

export async function measureChecks(quick: boolean): Promise<readonly Result[]> {
  const few = await startSide(10, 10);
  const many = await startSide(1_000, quick ? 5_000 : 100_000);
  try {
    const results: Result[] = [];
    for (const concurrency of [1, 64]) results.push(...(await compare(few, many, concurrency, quick)));
    return results;
  } finally {
    for (const { child, wire } of [few, many]) {
      wire.close();
      await child.stop();
      discard(child.folder);
    }
  }
}

/** Half of the rules name one tool each, the others have patterns; the call is allowed by the last of them. */
async function startSide(rules: number, grants: number): Promise<Side> {
  const child = await startChild("holdpoint");
  const wire = wireTo(child);
  const set = Array.from({ length: rules - 1 }, (_none, n) => ({
    tools: [n % 2 === 0 ? `tool_${n}` : `group_${n}_*`],
    when: { "args.amount": { max: n } },
    verdict: "deny",
  }));
  await wire.call("PUT", "/v1/rules", { rules: [...set, { tools: ["read_*"], verdict: "allow" }] });
  await child.order({ kind: "grants", count: grants });
  await mintGrant(wire);
  return { child, wire };
}

/** One more grant, which answers every measured call of its tool. */
async function mintGrant(wire: Wire): Promise<void> {
  const asked = await wire.call("POST", "/v1/checks", { tool: GRANTED_TOOL, args: { amount: 0 } });
  const { hold } = JSON.parse(asked) as { hold: { id: string } };
  const grant = { for: "1h", uses: 100_000, args: { amount: "any" } };
  await wire.call("POST", `/v1/holds/${hold.id}/answer`, { action: "approve", grant });
}

let amount = 0;
async function granted({ wire }: Side): Promise<void> {
  amount += 1;
  const reply = await wire.call("POST", "/v1/checks", { tool: GRANTED_TOOL, args: { amount } });
  if (!reply.includes('"grant_id"')) throw new Error(`the grant did not answer: ${reply.slice(0, 300)}`);
}

const check = ({ wire }: Side) =>
  wire.call("POST", "/v1/checks", { tool: "read_file", args: { amount: 40 } });
const place = ({ wire }: Side) => wire.call("POST", "/v1/holds", ASK);

async function compare(
  few: Side,
  many: Side,
  concurrency: number,
  quick: boolean,
): Promise<readonly Result[]> {
  const rounds = quick ? 3 : 7;
  const roundMs = quick ? 700 : 2_000;
  await warmUp(
    [few, many].map((side) => () => check(side)),
    quick,
  );
  const samples = { few: [] as Sample[], many: [] as Sample[], place: [] as Sample[] };
  const grants = { few: [] as Sample[], many: [] as Sample[] };
  for (let round = 0; round < rounds; round += 1) {
    samples.few.push(await drive(concurrency, roundMs, () => check(few)));
    samples.many.push(await drive(concurrency, roundMs, () => check(many)));
    samples.place.push(await drive(concurrency, roundMs, () => place(few)));
    grants.few.push(await drive(concurrency, roundMs, () => granted(few)));
    grants.many.push(await drive(concurrency, roundMs, () => granted(many)));
  }
  const rate = (of: readonly Sample[]) => median(of.map(({ perSecond }) => perSecond));
  const growthOf = ({
    few: one,
    many: other,
  }: {
    readonly few: readonly Sample[];
    readonly many: readonly Sample[];
  }) => median(one.map(({ perSecond }, i) => perSecond / (other[i]?.perSecond ?? 1)));
  const growth = growthOf(samples);
  const grantGrowth = growthOf(grants);
  const count = quick ? "5,000" : "100,000";
  const p50 = median(samples.few.map((sample) => sample.p50));
  const p99 = median(samples.few.map((sample) => sample.p99));
  return [
    {
      ...{ name: `check at ${concurrency}, beside place`, value: rate(samples.few), unit: "/s", p50, p99 },
      ...{ floor: rate(samples.place), ratio: rate(samples.few) / rate(samples.place) },
    },
    {
      ...{ name: `check at ${concurrency} with 1,000 rules`, value: rate(samples.many), unit: "/s" },
      ...{
        floor: rate(samples.few),
        ratio: growth,
        aim: `< ${GROWTH_MAX} x ten rules`,
        met: growth < GROWTH_MAX,
      },
    },
    {
      ...{
        name: `check at ${concurrency} answered by one of ${count} grants`,
        value: rate(grants.many),
        unit: "/s",
      },
      ...{ floor: rate(grants.few), ratio: grantGrowth },
      ...{ aim: `< ${GROWTH_MAX} x ten grants`, met: grantGrowth < GROWTH_MAX },
    },
  ];
}
