/**
 * @module
 * Holds for agents built with the Claude Agent SDK: rules and people decide about its tools.
 */
export { type DeferOptions, deferToHold } from "./defer.ts";
export { holdpointPermission, type PermissionOptions } from "./permission.ts";
export type { CanUseTool, HookMatcher, PermissionResult, ToolClient } from "./types.ts";
