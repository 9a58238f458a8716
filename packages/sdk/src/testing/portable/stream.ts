/** Stands in for `node:stream` in the bundle: the face that serves files turns an iterable into a web stream. */

function toWeb(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

export const Readable = { from: (parts: AsyncIterable<Uint8Array>) => parts, toWeb };
