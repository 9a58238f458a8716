/** What a model's argument text means before any schema has seen it. */

/**
 * Blank text is `{}`; text that is not JSON becomes `{ __raw: text }`, which looks like an honest object with that key,
 * so a policy that allows by content should refuse `__raw`. Duplicate keys: the last one wins, here and at execution.
 *
 * Every call returns a fresh value: a caller may change it without changing what others see.
 *
 * @example
 * ```ts
 * parseProposalArguments('{"a": 1}'); // { a: 1 }
 * parseProposalArguments("not json"); // { __raw: "not json" }
 * ```
 */
export function parseProposalArguments(rawArguments: string): unknown {
  const text = rawArguments.trim();
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return { __raw: rawArguments };
  }
}
