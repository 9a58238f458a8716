import { channelSuite } from "../channel.suite.ts";
import { consoleChannel } from "./channel.ts";

channelSuite("the console", async () => {
  const sent: string[] = [];
  let how = "accepts";
  return {
    channel: consoleChannel(async (notice) => {
      if (how === "refuses permanently") return "refused";
      if (how !== "accepts") throw new Error(`no answer: ${notice.reviewUrl}`);
      sent.push(Object.values(notice).join("\n").replaceAll("\r\n", " "));
      return "posted";
    }),
    sent: async () => sent,
    async behave(next) {
      how = next;
    },
    secrets: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});
