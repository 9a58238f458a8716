import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAnswer, anyAsk } from "./translations/asks.ts";
import { type FaceTranslation, type Loss, shown } from "./translations/face.ts";
import { TRANSLATIONS } from "./translations/markdown.ts";

const HOW = { seed: 11, numRuns: 300 } as const;
const names = (losses: readonly { readonly what: string }[]) => losses.map(({ what }) => what).toSorted();

/** Takes away what is known to be lost, and remembers what of that there was. */
function losing<Thing>(losses: readonly Loss<Thing>[], seen: (thing: Thing) => unknown) {
  const lost = new Set<Loss<Thing>>();
  const take: (thing: Thing, ask: Parameters<Loss<Thing>["without"]>[1]) => Thing = (thing, ask) =>
    losses.reduce((left, loss) => {
      const less = loss.without(left, ask);
      if (JSON.stringify(seen(less)) !== JSON.stringify(seen(left))) lost.add(loss);
      return less;
    }, thing);
  return { lost, take };
}

const twoWays = TRANSLATIONS.filter(
  (face): face is FaceTranslation & Required<Pick<FaceTranslation, "ask">> => face.ask !== undefined,
);

describe("questions and answers translated to a face and back", () => {
  test.each(twoWays)(
    "L2 an ask is the same after translation, except for its documented losses: $title",
    (face) => {
      const { lost, take } = losing(face.askLosses, shown);
      fc.assert(
        fc.property(anyAsk(face.types), (ask) => {
          expect(shown(face.ask(ask))).toEqual(shown(take(ask, ask)));
        }),
        HOW,
      );
      expect(names([...lost]), "each of them is really lost").toEqual(names(face.askLosses));
    },
  );

  test.each(TRANSLATIONS)(
    "L1 an answer is the same after translation, except for its documented losses: $title",
    (face) => {
      const { lost, take } = losing(face.answerLosses, (answer) => answer);
      fc.assert(
        fc.property(anyAnswer(face.types), ({ ask, answer }) => {
          expect(face.answer(answer, ask)).toEqual(take(answer, ask));
        }),
        HOW,
      );
      expect(names([...lost]), "each of them is really lost").toEqual(names(face.answerLosses));
    },
  );
});
