/** Waits for something, and no longer than somebody wants it. */
export async function orAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | "aborted"> {
  if (signal.aborted) return "aborted";
  let listen: () => void = () => undefined;
  const aborted = new Promise<"aborted">((resolve) => {
    listen = () => resolve("aborted");
    signal.addEventListener("abort", listen, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", listen);
  }
}
