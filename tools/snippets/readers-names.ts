/** Names of the reader's own program that examples in comments use, each with its declaration in one line. */

interface ReadersName {
  readonly name: string;
  readonly declare: string;
  /** Only in sources whose path begins so. */
  readonly at?: string;
}

const GATE = "packages/gate/src/";
const HITL = "packages/hitl/src/";

const CLIENT =
  'import type { HoldClient } from "@holdpoint/protocol/client"; declare const client: HoldClient;';
const HOLD = 'import type { Hold } from "@holdpoint/protocol/client"; declare const hold: Hold;';

function names(declarations: Readonly<Record<string, string>>, at?: string): readonly ReadersName[] {
  return Object.entries(declarations).map(([name, type]) => ({
    name,
    declare: type.endsWith(";") ? type : `declare const ${name}: ${type};`,
    ...(at === undefined ? {} : { at }),
  }));
}

/** Name → its type, or whole statements. The first that fits counts. */
export const READERS_NAMES: readonly ReadersName[] = [
  ...names({ options: "RunOptions<{ readonly grants: readonly ApprovalGrant[] }>" }, `${GATE}errors.ts`),
  ...names({ error: "{ readonly suspendedProposal: SuspendedProposal }" }, GATE),
  ...names(
    {
      agent: "Agent<{ readonly grants: readonly ApprovalGrant[] }>",
      approvals: "Approvals",
      billing: "Agent",
      context: "{ readonly grants: readonly ApprovalGrant[] }",
      grants: "readonly ApprovalGrant[]",
      input: "string",
      ledger: "{ claim(proposalHash: string): Promise<void> }",
      patchState: "(intentId: string, state: object) => Promise<void>",
      payments: "{ refund(order: string, cents: number): Promise<string> }",
      policies: "Policies<{ readonly grants: readonly ApprovalGrant[] }>",
      proposal: "SuspendedToolProposal",
      proposalHash: "string",
      provider: "ModelProvider",
      queue: "{ save(seed: ApprovalRequestSeed): Promise<void> }",
      record: "RunRecord<{ readonly grants: readonly ApprovalGrant[] }>",
      records: "RunRecord<{ readonly grants: readonly ApprovalGrant[] }>[]",
      refund: "Tool",
      request: "ApprovalRequest",
      toolPolicy: "ToolPolicy<{ readonly grants: readonly ApprovalGrant[] }>",
      tools: "GuardableTools",
      client: CLIENT,
      holdId: "string",
      intent: "{ readonly state: { readonly _suspension: SuspensionEnd } }",
      intentId: "string",
      z: `import * as z from "zod";`,
    },
    GATE,
  ),
  ...names(
    {
      bot: "{ send(chat: number, text: string): Promise<void>; call(method: string, body: object): Promise<void> }",
      key: "string",
      chat: "number",
      init: "RequestInit",
      use: "(action: unknown) => void",
      update: "unknown",
      agentOf: "(request: Request) => string | undefined",
    },
    HITL,
  ),
  ...names({
    response: "Response",
    draw: "(...parts: readonly unknown[]) => void",
    stored: "SuspendedProposal",
  }),
  ...names({ hold: HOLD }, "packages/protocol/"),
  ...names(
    {
      hold: HOLD,
      client: CLIENT,
    },
    "packages/react/",
  ),
];
