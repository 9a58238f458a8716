/** What a command may touch of the world, so that tests can watch it. */

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /** Epoch milliseconds. */
  now(): number;
}

/** Said to the person who typed the command, without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
}

export interface Command {
  readonly summary: string;
  readonly usage?: string;
  /** Returns the exit code. */
  run(args: readonly string[], io: Io): Promise<number>;
}
