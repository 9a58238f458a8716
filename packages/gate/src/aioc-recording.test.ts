/** What aioc 0.2.8 made of these runs and arguments, recorded from the real package, and what the gate makes of them. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./agent.ts";
import type { AIOCError } from "./errors.ts";
import { createToolProposalFingerprint } from "./index.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { type ProviderEvent, scriptedProvider } from "./provider.ts";
import type { RunRecord } from "./record.ts";
import { run } from "./run.ts";
import { defineTool } from "./tool.ts";

interface RecordedRun {
  readonly name: string;
  readonly agent?: "handoff";
  readonly turns: readonly (readonly ProviderEvent[])[];
  readonly policy: {
    readonly decision: "allow" | "deny" | "require_approval";
    readonly reason: string;
    readonly options?: object;
  };
  readonly aioc: object;
}

const { runs, fingerprints } = JSON.parse(
  readFileSync(new URL("./aioc-recording.json", import.meta.url), "utf8"),
) as {
  readonly runs: readonly RecordedRun[];
  readonly fingerprints: readonly {
    readonly arguments: string;
    readonly argsCanonicalJson: string;
    readonly proposalHash: string;
  }[];
};

const DECIDE = { allow, deny, require_approval: requireApproval };
const NOT_RECORDED = new Set(["timestamp", "runId"]);
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (NOT_RECORDED.has(name) ? undefined : each)));

/** The parts of a record that are aioc's contract. */
const PARTS = [
  "status",
  "errorName",
  "question",
  "response",
  "policyDecisions",
  "suspendedProposals",
] as const;

async function played({ agent, turns, policy: { decision, reason, options } }: RecordedRun) {
  const records: RunRecord<unknown>[] = [];
  let executed = 0;
  const execute = () => {
    executed += 1;
    return { ok: true };
  };
  const ping = defineTool({
    ...{ name: "ping", description: "Answers.", parameters: z.looseObject({}), execute },
  });
  const target = defineAgent({ name: "Target Agent", model: "some-model" });
  const actor =
    agent === "handoff"
      ? defineAgent({ name: "Source Agent", model: "some-model", handoffs: [target] })
      : defineAgent({ name: "Policy unit agent", model: "some-model", tools: [ping] });
  const policy = () => DECIDE[decision](reason, options);
  const end = await run(actor, "hello", {
    policies: agent === "handoff" ? { handoffPolicy: policy } : { toolPolicy: policy },
    provider: scriptedProvider(turns),
    record: { sink: (record) => void records.push(record) },
  }).catch((error: AIOCError & { readonly result?: unknown }) => ({ error }));
  const [record, ...more] = records;
  if (record === undefined || more.length > 0) throw new Error(`${records.length} records were written`);
  return plain({
    executed,
    final: "error" in end ? null : end.finalOutput,
    error: "error" in end ? { name: end.error.name, result: end.error.result } : null,
    record: Object.fromEntries(PARTS.map((part) => [part, record[part]])),
    outputs: record.items.flatMap((item) => (item.type === "tool_call_output_item" ? [item.output] : [])),
  });
}

describe("a recorded session of aioc", () => {
  test.each(runs)(
    "finding 15: the gate gives what aioc gave where $name [@axiastudio/aioc 0.2.8, recorded]",
    async (recorded) => {
      expect(await played(recorded)).toEqual(recorded.aioc);
    },
  );

  test("finding 15: canonical text and hash of recorded arguments are aioc's, byte for byte [@axiastudio/aioc 0.2.8, recorded]", () => {
    expect(fingerprints.length).toBeGreaterThan(30);
    for (const { arguments: text, ...recorded } of fingerprints) {
      const parsedArguments = JSON.parse(text) as unknown;
      expect(createToolProposalFingerprint({ agentName: "A", toolName: "t", parsedArguments })).toEqual(
        recorded,
      );
    }
  });
});
