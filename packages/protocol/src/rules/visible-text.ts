/** Characters that change how text reads without being seen are made visible: nobody approves what only looks harmless. */

/** Scripts whose letters join, so that joiners between them are part of the spelling. */
const JOINING =
  "Arab Syrc Mong Nkoo Adlm Rohg Phag Mand Mani Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".replace(
    /(\w+) ?/g,
    "\\p{scx=$1}",
  );
const PICTURE = String.raw`\p{Extended_Pictographic}`;

/** What scripts and emoji need: joiners between what they join, selectors after the picture or key that they select. */
const NEEDED = [
  String.raw`\t|\n|\r(?=\n)`,
  String.raw`(?<=[${JOINING}])[\u200c\u200d](?=[${JOINING}])`,
  String.raw`(?<=(?:${PICTURE}|[\u{1F3FB}-\u{1F3FF}])\ufe0f?)\u200d(?=${PICTURE})`,
  String.raw`(?<=${PICTURE})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
].join("|");

/** Control and format characters, fillers and selectors, but for those that are needed where they stand. */
export const UNSEEN = new RegExp(
  String.raw`(?!${NEEDED})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`,
  "gu",
);

/** The text with unseen characters written as their code points. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    return `⟦U+${code}⟧`;
  });
}

/** As much of a text as an input shows: no unseen characters, and no line ends if the input has one line. */
export function textInInput(text: string, hasLines: boolean): string {
  const seen = text.replace(UNSEEN, "");
  return hasLines ? seen : seen.replace(/[\r\n]/g, "");
}
