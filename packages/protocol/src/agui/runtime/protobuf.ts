/** The binary encoding: every event is a message with its length before it, four bytes, the highest first (AG-074). */

import type { AgUiEvent } from "../index.ts";
import type { Codec } from "./stream.ts";

export const PROTOBUF_TYPE = "application/vnd.ag-ui.event+proto";

/** Writes one event as a protobuf message: `encode` of `@ag-ui/proto`. */
export type EncodeProtobuf = (event: AgUiEvent) => Uint8Array;

/** Whether the caller names the type. `*\/*` alone is not enough: a caller that names nothing wants text (AG-075). */
export function wantsProtobuf(accept: string | null): boolean {
  return (accept ?? "").split(",").some((part) => {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const quality = parameters.find((each) => each.startsWith("q="))?.slice("q=".length) ?? "1";
    return type === PROTOBUF_TYPE && Number(quality) > 0;
  });
}

export function protobufCodec(encode: EncodeProtobuf): Codec {
  return {
    type: PROTOBUF_TYPE,
    encode(event) {
      const message = encode(event);
      const frame = new Uint8Array(4 + message.length);
      new DataView(frame.buffer).setUint32(0, message.length);
      frame.set(message, 4);
      return { bytes: frame, length: message.length };
    },
  };
}
