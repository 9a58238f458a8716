/** The rows that are in sight, and a little more; the others are only height. */

import type { Hold } from "@holdpoint/protocol/client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { HoldRow, type RowProps } from "./row.tsx";
import { WORDS } from "./words.ts";

const ROW_PX = 104;
const BEYOND = 6;
/** The next page is fetched when so many rows are left. */
const AHEAD = 30;

export interface ListHandle {
  show(index: number): void;
}

interface ListProps extends Pick<RowProps, "onMark" | "onLook"> {
  readonly holds: readonly Hold[];
  readonly currentId: string | undefined;
  readonly marked: ReadonlySet<string>;
  /** How many there are altogether; `undefined`: not known exactly. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  /** Told which row is the first in sight. */
  readonly onFirst: (index: number) => void;
  readonly handle: RefObject<ListHandle | null>;
}

export function RowList(props: ListProps): ReactNode {
  const { holds, currentId, marked, total, hasMore, onMore, onFirst, handle } = props;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: holds.length,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollMargin: top,
    getItemKey: (index) => holds[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  const firstIndex = items[0]?.index ?? 0;
  useImperativeHandle(handle, () => ({ show: (index) => rows.scrollToIndex(index, { align: "auto" }) }), [
    rows,
  ]);
  useEffect(() => {
    if (hasMore && lastIndex >= holds.length - AHEAD) onMore();
  }, [hasMore, lastIndex, holds.length, onMore]);
  useEffect(() => onFirst(firstIndex), [firstIndex, onFirst]);
  return (
    <>
      <ul ref={list} className="app-rows" style={{ height: `${rows.getTotalSize()}px` }}>
        {items.map(({ index, key, start }) => {
          const hold = holds[index];
          return hold === undefined ? null : (
            <li
              key={key}
              id={`row-${hold.id}`}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={total ?? -1}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <HoldRow
                hold={hold}
                isCurrent={hold.id === currentId}
                isMarked={marked.has(hold.id)}
                onMark={props.onMark}
                onLook={props.onLook}
              />
            </li>
          );
        })}
      </ul>
      <p className="app-end" role="status">
        {hasMore ? WORDS.more : ""}
      </p>
    </>
  );
}
