/** Characters that change how text reads without being seen are made visible: nobody approves what only looks harmless. */

/** Control and format characters, but for line ends, tabs and the joiners that scripts and emoji need. */
const UNSEEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟦U+${code}⟧`;
  });
}
