/** Text as an agent wrote it, with nothing in it that cannot be seen. */

import { visibleText } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";

const WORDS = {
  allLines: (count: string | number) => `All ${count} lines are here; scroll to read them.`,
};

/** Text of strangers, with unseen characters made visible. */
export function Text({ children }: { readonly children: string }): ReactNode {
  return visibleText(children);
}

export function Link({ href, children }: { readonly href: string; readonly children: string }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      <Text>{children}</Text>
    </a>
  );
}

/** What an agent says a text is. */
export function Descriptor({ children }: { readonly children: string }): ReactNode {
  return (
    <p className="hp-note">
      <Text>{children}</Text>
    </p>
  );
}

const LINES_MANY = 40;

/** All of it is there: what does not fit can be scrolled, and says so. */
export function Code({
  text,
  language = "",
}: {
  readonly text: string;
  readonly language?: string;
}): ReactNode {
  const count = text.split("\n").length;
  const label = language === "" ? "Text" : visibleText(language);
  return (
    <div className="hp-code">
      {language === "" ? null : <Descriptor>{language}</Descriptor>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>
            <Text>{text}</Text>
          </code>
        </pre>
      </section>
      {count > LINES_MANY ? <p className="hp-note">{WORDS.allLines(count)}</p> : null}
    </div>
  );
}
