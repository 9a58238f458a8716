/** Names of places on the page, and how what is wrong is said beside them. */

export function fieldId(key: string): string {
  return `hp-field-${key}`;
}

export function schemaId(at: string): string {
  return `hp-schema${at.replaceAll(/[^\w-]/g, "-")}`;
}

/** `must be a number` → `Must be a number.` */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
