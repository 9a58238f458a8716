/** Every component in every state, to look at. Nothing here is sent anywhere. */

import { HoldCard } from "@holdpoint/react";
import type { ReactNode } from "react";
import { Heading } from "../app/parts.tsx";
import { SAMPLE_NOW, SAMPLES } from "./samples.ts";

const WORDS = {
  gallery: "Gallery",
  sampleNothingSent: "This is a sample; nothing was sent.",
};

export function Gallery(): ReactNode {
  return (
    <>
      <Heading title={WORDS.gallery} />
      <div className="app-gallery">
        {SAMPLES.map(([title, hold]) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <HoldCard
              hold={hold}
              now={SAMPLE_NOW}
              onAnswer={async () => ({
                kind: "refused",
                problems: [],
                notice: WORDS.sampleNothingSent,
              })}
            />
          </section>
        ))}
      </div>
    </>
  );
}
