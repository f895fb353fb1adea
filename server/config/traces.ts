import { z } from 'zod';
import { baseAddress } from './models.ts';

/** Where the steps of questions and of reading are sent. */
export interface TracesConfig {
  /** Without the path of the protocol. */
  endpoint: string;
  headers: Record<string, string>;
  /** Of the traces, from 0 to 1. */
  share: number;
}

/** Named as every service that speaks OpenTelemetry names them. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseAddress
    .optional()
    .describe(
      'Address of a collector of OpenTelemetry, such as http://localhost:4318, which is sent traces of requests and jobs by OTLP over HTTP: names of steps and times, nothing of what is asked or uploaded; not set: none.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((written) => headersOf(written) !== null, 'must be like name=value,other=value')
    .optional()
    .describe(
      'With OTEL_EXPORTER_OTLP_ENDPOINT: what the collector wants to be sent with them, as name=value,other=value.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0, 'must be at least 0')
    .max(1, 'is at most 1')
    .default(1)
    .describe('With OTEL_EXPORTER_OTLP_ENDPOINT: which share of the traces is sent, from 0 to 1.'),
};

type Settings = z.infer<z.ZodObject<typeof traceSettings>>;

/** What is missing or of no use goes to the problems. */
export function tracesConfig(values: Settings, problems: string[]): { traces?: TracesConfig } {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) {
    if (headers !== undefined)
      problems.push('OTEL_EXPORTER_OTLP_ENDPOINT is missing: OTEL_EXPORTER_OTLP_HEADERS is of no use without it.');
    return {};
  }
  const share = values.OTEL_TRACES_SAMPLER_ARG;
  return { traces: { endpoint: endpoint.replace(/\/+$/, ''), headers: headersOf(headers ?? '') ?? {}, share } };
}

/** As the specification of OpenTelemetry writes them: like W3C Baggage, with what is not allowed there in percents. */
function headersOf(written: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of written.split(',').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e ]*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return headers;
}
