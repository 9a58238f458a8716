/** What becomes of each shell block of the documentation. The blocks of one page are one story: what was started goes on. */

/** What a line says when it has done its work; null: it is not run, and why stands beside it. */
type Says = RegExp | null;

export type Run =
  /** A script that ends by itself, with this in its output; `looks`: run again until people have answered. */
  | { readonly kind: "script"; readonly says: RegExp; readonly looks?: true }
  /** Each line in a terminal of its own, which stays open. */
  | { readonly kind: "terminals"; readonly says: readonly Says[] }
  | { readonly kind: "left out"; readonly why: string };

const STARTED = /is holding/;
const ALONE: Run = { kind: "left out", why: "tools/examples.full.test.ts does this with the tarballs" };
const INSTALLED: Run = {
  kind: "left out",
  why: "tools/pack.full.test.ts installs the tarballs and runs this",
};

export const SHELL_BLOCKS: Readonly<Record<string, Run>> = {
  "CONTRIBUTING.md 1": { kind: "left out", why: "a clone of the clone that this runs in" },
  // The second line is what runs this.
  "README.md 1": INSTALLED,
  "README.md 3": { kind: "terminals", says: [STARTED, null] },
  "docs/integrate/claude-agent-sdk.md 1": INSTALLED,
  "docs/integrate/hitl-service.md 3": { kind: "script", says: /human_input_required/ },
  "docs/integrate/openintent.md 1": { kind: "script", says: /"resolution":\s*"responded"/ },
  "docs/integrate/react.md 1": INSTALLED,
  "docs/operate/grants.md 1": { kind: "left out", why: "faces/rest/gating.test.ts sends this request" },
  "docs/operate/postgres.md 1": { kind: "terminals", says: [STARTED] },
  "docs/operate/postgres.md 2": { kind: "script", says: /moved|copied|whole/i },
  "docs/operate/rules.md 2": { kind: "left out", why: "cli/rules.test.ts runs these commands" },
  "docs/operate/telegram.md 1": { kind: "left out", why: "cli/connect.test.ts runs this command" },
  "docs/start/quickstart.md 1": { kind: "terminals", says: [STARTED] },
  "docs/start/quickstart.md 2": { kind: "script", says: /All answered\.[\s\S]*whole {2}\d+ events/ },
  "docs/start/quickstart.md 3": { kind: "script", says: /^approve by dev/m },
  "docs/start/quickstart.md 4": { kind: "script", says: /"review_url":/ },
  "examples/ag-ui-app/README.md 1": { kind: "terminals", says: [STARTED, /listens on/] },
  "examples/ag-ui-app/README.md 2": { kind: "script", says: /"outcome":\{"type":"interrupt"/ },
  "examples/ag-ui-app/README.md 3": { kind: "script", says: /"refund":"executed"/ },
  "examples/ai-sdk/README.md 1": ALONE,
  "examples/claude-agent-sdk/README.md 1": ALONE,
  "examples/coding-agent-hook/README.md 1": ALONE,
  // An hour is too long to wait for; that it begins is seen.
  "examples/compliance-workflow/README.md 1": {
    kind: "terminals",
    says: [/Workflow completed/, /an interval is 3600 s/, /an interval is 60 s/],
  },
  "examples/gated-agent/README.md 1": { kind: "terminals", says: [STARTED, /executed: order 1042 refunded/] },
  "examples/github-deploy-gate/README.md 1": ALONE,
  "examples/hello-ask/README.md 1": ALONE,
  "examples/hitl-express/README.md 1": { kind: "terminals", says: [STARTED, /letters are sent/, /^sent: /m] },
  "examples/hitl-next/README.md 1": { kind: "terminals", says: [STARTED, /letters are sent/, /^sent: /m] },
  "examples/langchain/README.md 1": ALONE,
  "examples/langgraph-behind-proxy/README.md 1": { kind: "terminals", says: [/agent at/] },
  "examples/langgraph-behind-proxy/README.md 3": { kind: "script", says: /Pay Grace/ },
  "examples/langgraph-behind-proxy/README.md 5": {
    ...{ kind: "script", looks: true, says: /"paid":\["Ada","Grace"\]/ },
  },
  "examples/langgraph/README.md 1": ALONE,
  "examples/mastra/README.md 1": ALONE,
  "examples/mcp-ask-human/README.md 1": ALONE,
  "examples/mcp-gateway/README.md 1": ALONE,
  "examples/openai-agents/README.md 1": ALONE,
  "examples/openintent-refund/README.md 1": { kind: "terminals", says: [STARTED] },
  "examples/openintent-refund/README.md 2": { kind: "script", says: /^refunded$/m },
  "examples/react-inbox/README.md 1": ALONE,
  "examples/serverless-webhook/README.md 1": ALONE,
  "examples/testing-your-agent/README.md 1": ALONE,
  "packages/adapters/README.md 1": INSTALLED,
  "packages/gate/README.md 1": INSTALLED,
  "packages/hitl/README.md 1": INSTALLED,
  "packages/openintent/README.md 1": INSTALLED,
  "packages/react/README.md 1": INSTALLED,
  "packages/sdk/README.md 1": INSTALLED,
  "packages/server/README.md 1": INSTALLED,
};
