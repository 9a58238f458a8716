/**
 * When an answer is given, the next hold takes its place at once, with its buttons where the old ones were. The second click of a
 * double click would approve what nobody has read, so it is ignored.
 */

import { type MouseEvent, useLayoutEffect, useRef } from "react";

const QUIET_MS = 500;

/** `detail`: which click in a row it is; none for a key, which presses only the button that has the focus. */
export function isStray(
  press: { readonly detail: number; readonly timeStamp: number },
  appearedAt: number,
): boolean {
  return press.detail > 1 || (press.detail === 1 && press.timeStamp - appearedAt < QUIET_MS);
}

/** Ignores stray presses of deciding buttons. A hold that the person has `chosen` has not come by itself. */
export function useStrayPresses(
  holdId: string | undefined,
  chosen: { readonly current: string | undefined },
) {
  const before = useRef<string>(undefined);
  const appearedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const isByItself = before.current !== undefined && before.current !== holdId && chosen.current !== holdId;
    if (isByItself) appearedAt.current = performance.now();
    before.current = holdId;
  }, [holdId, chosen]);
  return (event: MouseEvent<HTMLElement>): void => {
    const isDeciding = (event.target as Element).closest("button[type=submit]") !== null;
    if (!isDeciding || !isStray(event.nativeEvent, appearedAt.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
