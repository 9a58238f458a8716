/** Days in the reader's own time, as the address and the date fields write them: 2026-03-29. */

/** The moment at which a day begins; on the day that a clock is set it has 23 or 25 hours. `undefined`: no such day. */
export function dayStart(day: string, plusDays = 0): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + plusDays);
  // Where clocks are set at midnight, a day begins at 1 o'clock and the next one does not.
  at.setHours(0, 0, 0, 0);
  return at.toISOString();
}

export function dayOf(at: Date): string {
  const part = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${part(at.getFullYear(), 4)}-${part(at.getMonth() + 1)}-${part(at.getDate())}`;
}
