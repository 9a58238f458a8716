/** One hold to read and answer: by its id from the provider's server, or as the app gives it. */

import { type ReactNode, useState } from "react";
import { type HoldReviewProps as GivenProps, HoldReview as GivenReview } from "../components/hold-review.tsx";
import { useHold } from "./use-hold.ts";

const WORDS = {
  loading: "Loading …",
};

export interface LiveReviewProps
  extends Pick<GivenProps, "className" | "slots" | "judge" | "fileHref" | "children"> {
  /** Read, followed and answered with the client of the `HoldpointProvider` above. */
  readonly id: string;
}

export type HoldReviewProps = GivenProps | LiveReviewProps;

/**
 * Shows a hold and takes its answer.
 *
 * @example
 * ```tsx
 * import { HoldReview } from "@holdpoint/react";
 *
 * const Money = () => <p>Amounts are in EUR.</p>;
 *
 * export const Question = ({ id }: { id: string }) => (
 *   <HoldReview id={id} className="card" slots={{ beforeAnswer: Money }} />
 * );
 * ```
 */
export function HoldReview(props: HoldReviewProps): ReactNode {
  return "id" in props ? <LiveReview key={props.id} {...props} /> : <GivenReview {...props} />;
}

function LiveReview({ id, ...props }: LiveReviewProps): ReactNode {
  const { hold, trouble, isOwn, notice, answer, upload } = useHold(id);
  const [now] = useState(() => Date.now());
  if (hold === undefined) return <Waiting trouble={trouble} className={props.className} />;
  return (
    <GivenReview
      {...props}
      key={hold.status}
      hold={hold}
      now={now}
      onAnswer={answer}
      onUpload={upload}
      isOwn={isOwn}
      notice={notice ?? trouble}
    />
  );
}

interface WaitingProps {
  readonly trouble: string | undefined;
  readonly className?: string | undefined;
}

export function Waiting({ trouble, className = "" }: WaitingProps): ReactNode {
  return (
    <div className={`hp-review ${className}`.trim()}>
      {trouble === undefined ? (
        <p role="status">{WORDS.loading}</p>
      ) : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
