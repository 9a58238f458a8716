/** The bytes of a body, but no more than so many: a caller must not be able to fill our memory. */
export async function readBody(
  message: Request | Response,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
  const reader = message.body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > bytesMax) {
      await reader.cancel();
      return "too_large";
    }
    pieces.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}
