/**
 * What an operator never wants to leave in a notification, taken out of its text: the record and the page keep it. Patterns
 * are the operator's own, from the configuration.
 */

export type Redact = (text: string) => string;

const MARK = "[redacted]";

export function redactor(patterns: readonly string[]): Redact {
  const found = patterns.map((pattern) => new RegExp(pattern, "giu"));
  return (text) => found.reduce((clean, pattern) => clean.replace(pattern, MARK), text);
}
