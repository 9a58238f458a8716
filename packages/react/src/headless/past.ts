/** An action that was taken, as people say it afterwards. */

const PAST: Readonly<Record<string, string>> = {
  approve: "Approved",
  reject: "Rejected",
  edit: "Changes requested",
  select: "Selected",
  submit: "Submitted",
  confirm: "Confirmed",
  cancel: "Declined",
  retry: "Try again",
  skip: "Skip it",
  abort: "Stop",
};

export function pastWords(action: string): string | undefined {
  return Object.hasOwn(PAST, action) ? PAST[action] : undefined;
}
