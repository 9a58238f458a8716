import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseProposalArguments } from "./arguments.ts";
import { createHandoffProposalFingerprint, createToolProposalFingerprint } from "./fingerprint.ts";
import { sha256Hex } from "./hash.ts";

function toolHash(agentName: string, toolName: string, rawArguments: string): string {
  const parsedArguments = parseProposalArguments(rawArguments);
  return createToolProposalFingerprint({ agentName, toolName, parsedArguments }).proposalHash;
}

const V1 = "486e7d858f077daf704366bd7f7742a58955c40c0e173da363ab9fa5f47f4a41";
const V3 = "d5e8d86b8e8edd48fa26be458f82b75dec3e2082be3e519707fbf363089aeff4";
const V4 = "40070bc4293c7ea858c49a49b59b74010f516f1060d5eac023a5283c33acfb37";
const V6 = "ca5d35ceb3e3f5eace69a3be1674a438e27159ad325b5ed118858ce32f6cc5dd";

describe("hash vectors", () => {
  test.each([
    ["V1", "Policy unit agent", "ping", "{}", V1],
    [
      "V2",
      "Finance Agent",
      "export_report",
      '{"reportId":"rpt-1"}',
      "f198e59aabb5bc2d82b2e1784d0333a193c392c8412bf510169db9f9fa58a6d0",
    ],
    ["V3 as written", "Finance Agent", "export_report", '{"b":2,"a":[1,{"d":null,"c":"é"}]}', V3],
    [
      "V3 escaped and reordered",
      "Finance Agent",
      "export_report",
      '{"a":[1.0,{"c":"\\u00e9","d":null}],"b":2e0}',
      V3,
    ],
    [
      "V5",
      "A",
      "t",
      '{"10":2,"9":3,"b":1}',
      "def83de8c825fa4cc89d147d9181c2ebe1d1d3da7b26b24b01bbe3436d7564e8",
    ],
    ["V6 minus zero", "A", "t", '{"n":-0}', V6],
    ["V6 zero", "A", "t", '{"n":0}', V6],
    ["V7", "A", "t", "not json", "2440c9cefde53cb539fde8cd8d7cb65f63ef577d2fb05b34c1761909b369bd90"],
  ])("%s has the hash that the contract gives", (_name, agentName, toolName, rawArguments, hash) => {
    expect(toolHash(agentName, toolName, rawArguments)).toBe(hash);
  });

  test("V1 is the SHA-256 of the canonical text of the whole content", () => {
    expect(
      sha256Hex('{"agentName":"Policy unit agent","argsCanonicalJson":"{}","kind":"tool","toolName":"ping"}'),
    ).toBe(V1);
  });

  test("V4 is the hash of a handoff with its payload's canonical text", () => {
    const content = {
      fromAgentName: "Source Agent",
      toAgentName: "Target Agent",
      handoffPayload: { reason: "route" },
    };
    expect(createHandoffProposalFingerprint(content)).toEqual({
      proposalHash: V4,
      payloadCanonicalJson: '{"reason":"route"}',
    });
  });

  test("AI-030 SHA-256 agrees with the platform's for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
    );
  });
});

describe("differences that change the hash", () => {
  test("AI-032 any other value, tool, agent or target changes the hash", () => {
    const handoff = (fromAgentName: string, toAgentName: string, handoffPayload: unknown) =>
      createHandoffProposalFingerprint({ fromAgentName, toAgentName, handoffPayload }).proposalHash;
    const hashes = [
      toolHash("A", "t", '{"n":1}'),
      toolHash("A", "t", '{"n":2}'),
      toolHash("A", "t", '{"n":"1"}'),
      toolHash("A", "t", '{"n":null}'),
      toolHash("A", "t", "{}"),
      toolHash("A", "t", "[]"),
      toolHash("A", "u", '{"n":1}'),
      toolHash("B", "t", '{"n":1}'),
      handoff("A", "t", { n: 1 }),
      handoff("A", "u", { n: 1 }),
      handoff("B", "t", { n: 1 }),
      handoff("A", "t", { n: 2 }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("AI-032 the hash changes when text moves from the agent's or tool's name into the arguments", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.string(), fc.string(), fc.string()),
        fc.tuple(fc.string(), fc.string(), fc.string()),
        (a, b) => {
          const same = a.every((part, at) => part === b[at]);
          const [x, y] = [a, b].map(([agentName, toolName, value]) =>
            createToolProposalFingerprint({ agentName, toolName, parsedArguments: { value } }),
          );
          expect(x?.proposalHash === y?.proposalHash).toBe(same);
        },
      ),
    );
  });

  test("AI-172 two processes with other locales and time zones compute the same hashes", () => {
    const script = `
      import { createToolProposalFingerprint as f, parseProposalArguments as p } from "@holdpoint/protocol/proposal";
      const texts = ['{"b":2,"a":[1,{"d":null,"c":"é"}]}', '{"10":2,"9":3,"b":1}', '{"ä":1,"z":2,"Z":3}', "not json"];
      const hashes = texts.map((text) => f({ agentName: "A", toolName: "t", parsedArguments: p(text) }).proposalHash);
      hashes.push(f({ agentName: "A", toolName: "t", parsedArguments: new Set(["ä", "z", "Z", new Date(0)]) }).proposalHash);
      console.log(JSON.stringify(hashes));`;
    const [first, second] = [
      { LC_ALL: "C", TZ: "UTC" },
      { LC_ALL: "sv_SE.UTF-8", TZ: "Pacific/Auckland" },
    ].map((env) =>
      spawnSync(process.execPath, ["--conditions=@holdpoint/source", "--input-type=module", "-e", script], {
        cwd: import.meta.dirname,
        env: { ...process.env, ...env },
        encoding: "utf8",
      }),
    );
    expect(first?.stderr).toBe("");
    expect(JSON.parse(first?.stdout ?? "")).toHaveLength(5);
    expect(second?.stdout).toBe(first?.stdout);
  });
});
