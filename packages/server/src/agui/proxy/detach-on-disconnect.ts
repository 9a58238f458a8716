/** Reads an agent's stream to its end after the client disconnected, if a release depends on it; otherwise aborts it. */

export interface DetachOptions {
  /** Called when the client disconnects. */
  mustFinish(): boolean;
  abort(): void;
  track(work: Promise<void>): void;
}

export function detachOnDisconnect(
  response: Response,
  { mustFinish, abort, track }: DetachOptions,
): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      if (mustFinish()) {
        track(readToEnd(reader));
        return;
      }
      abort();
      track(reader.cancel());
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) {
    const { done } = await reader.read();
    if (done) return;
  }
}
