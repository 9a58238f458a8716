/**
 * Parts of the page that not every ask needs, loaded only where one does. A server that renders them loads all of them first
 * and learns which were used; the page loads those before it takes over, so that nothing flickers or is lost.
 */

import { type ComponentType, type JSX, lazy, type ReactNode, Suspense, useState } from "react";

const loaders = new Map<string, () => Promise<void>>();
let used: Set<string> | undefined;

export interface Late<Props> {
  (props: Props): ReactNode;
  /** It will be drawn as soon as the page lives, though it is not drawn now. */
  expect(): void;
}

export function late<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): Late<Props> {
  let loaded: ComponentType<Props> | undefined;
  const Loading = lazy(async () => ({ default: await load() }));
  const others = loaders.get(name);
  loaders.set(name, async () => {
    [loaded] = await Promise.all([load(), others?.()]);
  });
  const View = (props: Props) => {
    used?.add(name);
    // While something is still missing, the page says so.
    // Chosen once: what becomes loaded later must not replace what is being typed into.
    const [Ready] = useState(() => loaded);
    return Ready === undefined ? (
      <Suspense fallback="…">
        <Loading {...(props as Props & JSX.IntrinsicAttributes)} />
      </Suspense>
    ) : (
      <Ready {...props} />
    );
  };
  return Object.assign(View, { expect: () => void used?.add(name) });
}

/** All of them, or those that are named. */
export async function loadParts(names?: readonly string[]): Promise<void> {
  const wanted = names ?? [...loaders.keys()];
  await Promise.all(wanted.map((name) => loaders.get(name)?.()));
}

/** What drawing used; drawing is not interrupted, so nobody else's is counted. */
export function partsUsed<Drawn>(draw: () => Drawn): readonly [Drawn, readonly string[]] {
  used = new Set();
  try {
    const drawn = draw();
    return [drawn, [...used]];
  } finally {
    used = undefined;
  }
}
