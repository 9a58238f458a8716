/** Warnings about a setup that loses evidence, told once to each place they are written to. */

export type Warn = (message: string) => void;

const told = new WeakSet<Warn>();

export function warnLostProposal(warn: Warn): void {
  if (told.has(warn)) return;
  told.add(warn);
  warn(
    "A call was suspended for approval, but no record sink, logger or onSuspended is set: nobody can find it again.",
  );
}
