/**
 * @module
 * JSON Schema in a browser without `eval`, for pages with a strict policy. An entry of its own: only asks with a
 * `responseSchema` need to load it.
 */

export { schemaTest } from "@holdpoint/protocol/json-schema";
