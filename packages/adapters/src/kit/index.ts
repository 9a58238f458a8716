/**
 * @module
 * The adapter kit: prove that your own adapter of a framework keeps what Holdpoint's adapters promise. It needs `@holdpoint/sdk`,
 * whose Holdpoint in memory it runs against.
 */
export type { AdapterUnderTest, AgentProcess, Payment, ScriptedCall, Stage } from "./adapter.ts";
export { type AdapterTest, adapterTests } from "./suite.ts";
