/** The mark as icons for home screens, drawn pixel by pixel: no image library is worth two posts and a dot. */

import { deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];
const PAPER: Colour = [255, 255, 255];
const INK: Colour = [27, 29, 34];
const GO: Colour = [20, 105, 74];

/** Sub-pixels a side, for smooth edges. */
const FINE = 4;

/** The colour at a point of the mark's 24 by 24 drawing. */
function colourAt(x: number, y: number): Colour {
  if ((x - 12) ** 2 + (y - 12) ** 2 <= 9) return GO;
  const isPost = (left: number) => x >= left && x <= left + 4 && y >= 3 && y <= 21;
  return isPost(3) || isPost(17) ? INK : PAPER;
}

/** `margin`: how much of the side stays free, so that a round mask cuts nothing. */
export function icon(size: number, margin: number): Buffer {
  const rows = Buffer.alloc(size * (1 + size * 3));
  const scale = 24 / (size * (1 - 2 * margin));
  const from = -size * margin * scale;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const sum = [0, 0, 0];
      for (let fine = 0; fine < FINE * FINE; fine += 1) {
        const x = from + (column + ((fine % FINE) + 0.5) / FINE) * scale;
        const y = from + (row + (Math.floor(fine / FINE) + 0.5) / FINE) * scale;
        colourAt(x, y).forEach((value, at) => {
          sum[at] = (sum[at] ?? 0) + value;
        });
      }
      const at = row * (1 + size * 3) + 1 + column * 3;
      sum.forEach((value, channel) => {
        rows[at + channel] = Math.round(value / (FINE * FINE));
      });
    }
  }
  return png(size, rows);
}

function png(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a channel, three channels.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), body.length + 4);
  return whole;
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
