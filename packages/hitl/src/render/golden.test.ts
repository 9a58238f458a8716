import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listed, REVIEWS } from "../testing/render-cases.ts";
import { discord } from "./discord.ts";
import type { Messenger } from "./messenger.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { whatsapp } from "./whatsapp.ts";

const MESSENGERS: readonly Messenger[] = [telegram, slack, discord, whatsapp, teams];

describe.each(MESSENGERS)("$name", (messenger) => {
  const golden = JSON.parse(
    readFileSync(new URL(`./golden/${messenger.name}.json`, import.meta.url), "utf8"),
  );

  test.each(Object.keys(REVIEWS))(
    "HP-218 the review %s is rendered exactly as in the golden file",
    (name) => {
      expect(messenger.render(listed(REVIEWS[name]!))).toEqual(golden[name]);
    },
  );
});
