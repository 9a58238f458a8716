/** From an empty folder with the tarballs to the first answered hold, as `npx holdpoint init` goes. */

import { firstAnswer, Stranger } from "../../../tools/pack/stranger.ts";
import type { Result } from "./result.ts";

const AIM_SECONDS = 60;

export async function measureInstall(): Promise<readonly Result[]> {
  using stranger = new Stranger();
  const { installMs, answerMs } = await firstAnswer(stranger, "first");
  const seconds = (installMs + answerMs) / 1000;
  return [
    { name: "install the tarballs", value: installMs / 1000, unit: "s" },
    {
      ...{ name: "empty folder to first answer", value: seconds, unit: "s" },
      ...{ aim: `< ${AIM_SECONDS} s`, met: seconds < AIM_SECONDS },
    },
  ];
}
