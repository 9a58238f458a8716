/** Pages that have nothing to decide on: a link that does not work, a sign-in that is needed. */

import type { SimplePage } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { Mark } from "../mark.tsx";

export function SimpleView({ title, text, link }: SimplePage): ReactNode {
  return (
    <div className="web-page">
      <header className="web-bar">
        <Mark />
      </header>
      <main className="web-simple">
        <h1>{title}</h1>
        <p>{text}</p>
        {link === undefined ? null : (
          <p>
            <a href={link.href}>{link.label}</a>
          </p>
        )}
      </main>
    </div>
  );
}
