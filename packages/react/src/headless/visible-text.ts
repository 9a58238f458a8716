/** Characters that change how text reads without being seen are made visible: nobody approves what only looks harmless. */

/** Control and format characters, fillers and selectors, but for line ends, tabs and what scripts and emoji need. */
const UNSEEN =
  /(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with unseen characters written as their code points. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟦U+${code}⟧`;
  });
}
