/** A stream that is read to its end although its reader has left, where somebody's answers depend on it. */

export interface Outliving {
  /** Asked when the reader leaves. */
  mustGoOn(): boolean;
  abort(): void;
  track(work: Promise<void>): void;
}

export function outliving(response: Response, { mustGoOn, abort, track }: Outliving): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      if (mustGoOn()) {
        track(readOut(reader));
        return;
      }
      abort();
      track(reader.cancel());
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function readOut(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) {
    const { done } = await reader.read();
    if (done) return;
  }
}
