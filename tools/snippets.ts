/** Writes every piece of TypeScript that readers may copy into `.snippets/`, where `npm run types` compiles it. */

import { commentSnippets } from "./snippets/comments.ts";
import { pageSnippets } from "./snippets/pages.ts";
import { playgroundSnippets } from "./snippets/playground.ts";
import { filesOf } from "./snippets/snippet.ts";
import { writeSnippets } from "./snippets/write.ts";
import { ROOT } from "./tidy/tree.ts";

writeSnippets(ROOT, filesOf([...pageSnippets(), ...commentSnippets(), ...playgroundSnippets()]));
