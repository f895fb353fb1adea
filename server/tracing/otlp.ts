import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracesConfig } from '#server/config/traces.ts';
import { collectSpans, type SpanCollector } from '#server/lib/span.ts';

/** A collector that hangs must hold up neither the export after it nor a stop for long. */
const exportTimeoutMs = 5000;
/** A second of a busy process; what is beyond is dropped, not kept. */
const maxWaiting = 4096;
const traceparent = 'traceparent';

/**
 * Sends the steps of this process to a collector of OpenTelemetry, by OTLP over HTTP in JSON. Loaded only where one is
 * named, since it takes a tenth of a second and some megabytes.
 * @returns how to send what is left and stop
 */
export function openTraces({ endpoint, headers, share }: TracesConfig, log: Logger): () => Promise<void> {
  const url = `${endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'footnote', 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellingOfFailure(exporter, log),
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: 1000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const collector = collectorOf(provider);
  collectSpans(collector);
  return async () => {
    collectSpans(null);
    context.disable();
    await provider.shutdown().catch(() => {});
  };
}

function collectorOf(provider: TracerProvider): SpanCollector {
  const tracer = provider.getTracer('footnote');
  const propagator = new W3CTraceContextPropagator();
  return {
    run: (name, facts, work) =>
      tracer.startActiveSpan(name, { attributes: facts }, async (span) => {
        try {
          return await work();
        } catch (error) {
          markFailed(span, error);
          throw error;
        } finally {
          span.end();
        }
      }),
    begin(name, facts) {
      const span = tracer.startSpan(name, { attributes: facts });
      const inside = trace.setSpan(context.active(), span);
      return {
        within: (work) => context.with(inside, work),
        end({ failed, ...more }) {
          span.setAttributes(more);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    here() {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier[traceparent];
    },
    goOn(from, work) {
      const carrier = { [traceparent]: from };
      const before: Context = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      return context.with(before, work);
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  };
}

/** The message of an error can have a name, a question or a row in it. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
}

/** A collector that is away is said once, and once when it is back; nothing else waits for it. */
function tellingOfFailure(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isAway) log.warn({ message: result.error?.message }, 'traces can not be delivered');
        if (!failed && isAway) log.info('traces are delivered again');
        isAway = failed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
