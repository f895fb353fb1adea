/** What is told of a step beside its name: numbers and names of our own, never what people ask, write or upload. */
export type SpanFacts = Record<string, string | number | boolean>;

/** Where the steps of the process are collected. */
export interface SpanCollector {
  /** Runs the work as a step of whatever step it is called in; an error that it throws is told of by its kind alone. */
  run<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** Begins a step that ends by a call, with all that `within` begins as its parts. */
  begin(name: string, facts: SpanFacts): OpenSpan;
  /** What another process needs to go on with the step that is under way, in the form of W3C Trace Context. */
  here(): string | undefined;
  /** Runs the work as a part of the step that `here` named. */
  goOn<T>(from: string, work: () => Promise<T>): Promise<T>;
  /** The trace that is under way. */
  traceId(): string | undefined;
}

export interface OpenSpan {
  within(work: () => void): void;
  end(facts: SpanFacts & { failed?: boolean }): void;
}

let collector: SpanCollector | null = null;

/** One for the whole process, as what runs in it is; null: nobody collects, and a step costs one look. */
export function collectSpans(next: SpanCollector | null): void {
  collector = next;
}

/** Does the work as a step that can be seen where traces are collected (`OTEL_EXPORTER_OTLP_ENDPOINT`). */
export function span<T>(name: string, work: () => Promise<T>, facts: SpanFacts = {}): Promise<T> {
  return collector ? collector.run(name, facts, work) : work();
}

/** @returns null where nobody collects */
export function beginSpan(name: string, facts: SpanFacts): OpenSpan | null {
  return collector?.begin(name, facts) ?? null;
}

export function spanHere(): string | undefined {
  return collector?.here();
}

export function goOnWithSpan<T>(from: string | undefined, work: () => Promise<T>): Promise<T> {
  return collector && from !== undefined ? collector.goOn(from, work) : work();
}

export function traceId(): string | undefined {
  return collector?.traceId();
}
