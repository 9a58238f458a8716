/**
 * @module
 * Rules that both sides of the wire share. Pure: no clock, no I/O, no dependencies.
 */
export type {
  Action,
  Answer,
  Ask,
  AskType,
  KnownAskType,
  Option,
  SelectRange,
  Style,
} from "./ask.ts";
export { ASK_TYPES, actionsOf, isGranting, isKnownType } from "./ask.ts";
export type { Condition, Field, FieldOption, FieldType, Form, Operator, Step, Validation } from "./form.ts";
export { FIELD_TYPES, fieldsOf, sensitiveKeys } from "./form.ts";
export type { Json, JsonObject } from "./json.ts";
export { isObject } from "./json.ts";
export type { Judge, PatternTest, Problem, SchemaTest } from "./judge.ts";
