/** Just enough of a mail server to receive what this example sends to itself. */

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailbox {
  readonly url: string;
  close(): void;
}

export async function openMailbox(onLetter: (letter: Letter) => void): Promise<Mailbox> {
  const server = createServer((socket) => converse(socket, onLetter));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
}

function converse(socket: Socket, onLetter: (letter: Letter) => void): void {
  let heard = "";
  let to = "";
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say("220 mailbox");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    for (;;) {
      const end = isData ? heard.indexOf("\r\n.\r\n") : heard.indexOf("\r\n");
      if (end < 0) return;
      const said = heard.slice(0, end);
      heard = heard.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        onLetter({ to, ...read(said) });
        say("250 kept");
        continue;
      }
      const verb = said.slice(0, 4).toUpperCase();
      if (verb === "RCPT") to = /<(.*)>/.exec(said)?.[1] ?? "";
      isData = verb === "DATA";
      say(isData ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 ok");
      if (verb === "QUIT") socket.end();
    }
  });
}

/** The plain part of a letter with two parts. */
function read(raw: string): Omit<Letter, "to"> {
  const subject = /^Subject: (.*)$/im.exec(raw)?.[1]?.trim() ?? "";
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(raw)?.[1] ?? "";
  return { subject, text: Buffer.from(part, "base64").toString("utf8") };
}
