/**
 * @module
 * One tool call before the rules, for programs that run tools: ask the server, wait a little for people, hand an approval over.
 */
export { type AgentCall, agentCall, type PlaceOf, SHELL } from "./agent-call.ts";
export { placeFinder } from "./call-place.ts";
export { handOver } from "./hand-over.ts";
export { approvalWords, type Ruling, type RulingClient, type RulingOptions, ruleOn } from "./ruling.ts";
