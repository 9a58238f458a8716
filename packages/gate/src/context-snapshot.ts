/** The context as a record may keep it. */

import { errorNote } from "./errors.ts";
import type { RunRecord, RunRecordOptions } from "./record.ts";

export type ContextSnapshot<TContext> = Pick<
  RunRecord<TContext>,
  "contextSnapshot" | "contextRedacted" | "metadata"
>;

/**
 * A redactor that fails leaves no context at all, and a note: aioc keeps the raw context then, which is the one thing
 * a redactor is there to prevent. The note has the error's name only, since its message may quote the context.
 */
export async function snapshotContext<TContext>(
  context: TContext,
  options: RunRecordOptions<TContext>,
): Promise<ContextSnapshot<TContext>> {
  const kept = options.metadata === undefined ? {} : { metadata: options.metadata };
  if (options.contextRedactor === undefined) {
    return { contextSnapshot: context, contextRedacted: false, ...kept };
  }
  try {
    const { contextSnapshot, contextRedacted } = await options.contextRedactor(context);
    return { contextSnapshot, contextRedacted, ...kept };
  } catch (error) {
    const note = { contextRedactionError: errorNote(error).errorName };
    return { contextSnapshot: null, contextRedacted: true, metadata: { ...options.metadata, ...note } };
  }
}
