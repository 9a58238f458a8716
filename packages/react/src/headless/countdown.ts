/** How long is left, in words that change no more often than they must. */

export interface Countdown {
  readonly isOver: boolean;
  /** Less than a tenth of the time, or under five minutes. */
  readonly isUrgent: boolean;
  /** Of the whole time, from 1 down to 0. */
  readonly share: number;
  /** `2 h 5 min`, `48 s`. */
  readonly text: string;
  /** When the text changes next. */
  readonly nextInMs: number;
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** How much time is left, in words, and whether it is urgent or over. */
export function countdown(startAt: number, expiresAt: number, now: number): Countdown {
  const left = Math.max(0, expiresAt - now);
  const whole = Math.max(1, expiresAt - startAt);
  const share = Math.min(1, left / whole);
  return {
    isOver: left === 0,
    isUrgent: left < 5 * MINUTE || share < 0.1,
    share,
    text: durationWords(left),
    nextInMs: left > 10 * MINUTE ? MINUTE : SECOND,
  };
}

/** The two largest units. */
export function durationWords(ms: number): string {
  if (ms >= DAY) return two(ms, DAY, "d", HOUR, "h");
  if (ms >= HOUR) return two(ms, HOUR, "h", MINUTE, "min");
  if (ms >= 10 * MINUTE) return `${Math.floor(ms / MINUTE)} min`;
  if (ms >= MINUTE) return two(ms, MINUTE, "min", SECOND, "s");
  return `${Math.ceil(ms / SECOND)} s`;
}

function two(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const first = Math.floor(ms / big);
  const second = Math.floor((ms % big) / small);
  return second === 0 ? `${first} ${bigName}` : `${first} ${bigName} ${second} ${smallName}`;
}

/** `3 min ago`, `just now`. */
export function agoWords(at: number, now: number): string {
  const ms = now - at;
  if (ms < 45 * SECOND) return "just now";
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min ago`;
  if (ms < DAY) return `${Math.round(ms / HOUR)} h ago`;
  return `${Math.round(ms / DAY)} d ago`;
}
