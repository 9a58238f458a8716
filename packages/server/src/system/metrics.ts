/** Prometheus metrics without a library: counters, gauges and histograms, and their text format. */

export interface Labels {
  readonly [name: string]: string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly lines: () => readonly string[];
}

export interface Counter {
  /** `value`: the value of the counter's label. */
  add(amount: number, value: string): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** In seconds, from a millisecond to a month, because a person may take long. */
export const SECONDS = [
  0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 30, 120, 600, 3600, 14_400, 86_400, 604_800, 2_592_000,
];
export const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export class Metrics {
  readonly #families: Family[] = [];
  readonly #gauges: {
    readonly name: string;
    readonly help: string;
    readonly read: () => Promise<readonly Sample[]>;
  }[] = [];

  /** Counts by the values of one label. */
  counter(name: string, help: string, label: string): Counter {
    const counts = new Map<string, number>();
    this.#families.push({
      name,
      help,
      type: "counter",
      lines: () => [...counts].map(([value, count]) => `${name}${labelText({ [label]: value })} ${count}`),
    });
    return {
      add: (amount, value) => void counts.set(value, (counts.get(value) ?? 0) + amount),
    };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const counts = bounds.map(() => 0);
    let count = 0;
    let sum = 0;
    const lines = () => [
      ...bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${counts[i]}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
    ];
    this.#families.push({ name, help, type: "histogram", lines });
    return {
      observe(value) {
        count += 1;
        sum += value;
        for (let i = bounds.length - 1; i >= 0 && value <= (bounds[i] as number); i -= 1)
          counts[i] = (counts[i] as number) + 1;
      },
    };
  }

  /** Read at each scrape. */
  gauge(name: string, help: string, read: () => Promise<readonly Sample[]>): void {
    this.#gauges.push({ name, help, read });
  }

  async text(): Promise<string> {
    const gauges = await Promise.all(
      this.#gauges.map(async ({ name, help, read }) => {
        const samples = await read();
        const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
        return print({ name, help, type: "gauge", lines: () => lines });
      }),
    );
    return `${[...this.#families.map(print), ...gauges].join("\n")}\n`;
  }
}

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

function print({ name, help, type, lines }: Family): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join("\n");
}

function labelText(labels: Labels): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return "";
  return `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
