/** Who is on call, as the operator configures it. */

export type Rota =
  | {
      readonly kind: "rotation";
      readonly people: readonly string[];
      readonly everyMs: number;
      readonly from: number;
    }
  /** Each event's summary is the id or the e-mail address of the person. */
  | { readonly kind: "ical"; readonly file: string };
