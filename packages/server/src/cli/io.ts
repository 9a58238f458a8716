/** What a command may read and write, so that tests can record it. */

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /** Epoch milliseconds. */
  now(): number;
}

/** Shown to the person at the terminal as a message without a stack trace. */
export class CliError extends Error {
  override readonly name = "CliError";
}

export interface Command {
  readonly summary: string;
  readonly usage?: string;
  /** What `help <command>` adds: options, and what the exit code means. */
  readonly details?: string;
  /** What `<command> --help` exits with: not 0 where 0 says that a person approved. */
  readonly helpCode?: number;
  /** Returns the exit code. */
  run(args: readonly string[], io: Io): Promise<number>;
}
