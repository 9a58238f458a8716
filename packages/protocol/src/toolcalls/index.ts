/**
 * @module
 * One tool call before the rules, for programs that run tools: ask the server, wait a little for people, hand an approval over.
 */
export { type AgentCall, agentCall, type RepositoryOf, SHELL } from "./agent-call.ts";
export { handOver } from "./hand-over.ts";
export { repositoryFinder } from "./repository.ts";
export { approvalWords, type Ruling, type RulingClient, type RulingOptions, ruleOn } from "./ruling.ts";
