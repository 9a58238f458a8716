/**
 * @module
 * JSON Schema without `eval`, for pages with a strict policy and for agents wherever they run. It accepts what the server
 * accepts; a property test compares the two. An entry of its own, because only asks with a `responseSchema` need it.
 */

export { schemaTest, wholeSchemaTest } from "./schema-test.ts";
