import type { Feature } from '#contract/plans.ts';
import { createResource } from '#web/lib/resource.ts';

/** JSON Schema, as far as a reader is told of it. */
export interface Shape {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

interface Content {
  content: { 'application/json': { schema: { properties: Record<string, Shape> }; example?: Record<string, unknown> } };
}

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  'x-scope': string | null;
  'x-access': string;
  'x-feature': Feature | null;
  'x-errors': string[];
  'x-stream'?: { message: Shape };
  requestBody: Content;
  responses: { 200: Content };
}

interface ApiDocument {
  tags: { name: string; description: string }[];
  servers: [{ url: string }];
  'x-errors': string[];
  'x-error-codes': Record<string, { status: string; http: number; message: string }>;
  paths: Record<string, { post?: Operation }>;
}

/** A call as the page tells of it. */
export interface Told {
  name: string;
  section: string;
  summary: string;
  scope: string | null;
  access: string;
  feature: Feature | null;
  input: Shape;
  output: Shape;
  message: Shape | undefined;
  errors: { code: string; http: number; message: string }[];
  /** Recorded from a real run; absent for some of the calls that keys cannot make. */
  example: { input: unknown; output: unknown } | undefined;
}

export interface Api {
  /** Where the calls are, without a slash at its end. */
  url: string;
  sections: { name: string; about: string; calls: Told[] }[];
}

/** What can be called, as the service itself says it. */
export const api = createResource(async (): Promise<Api> => {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`The API document was answered with ${response.status}.`);
  return readDocument(await response.json());
});

function readDocument(document: ApiDocument): Api {
  const calls = Object.entries(document.paths).flatMap(([path, { post }]) =>
    // Uploads are no call: the quick start shows them.
    post?.requestBody ? [told(path.slice(1), post, document)] : [],
  );
  const sections = document.tags.map(({ name, description }) => ({
    name,
    about: description,
    calls: calls.filter(({ section }) => section === name),
  }));
  return { url: document.servers[0].url, sections: sections.filter(({ calls }) => calls.length > 0) };
}

function told(name: string, operation: Operation, document: ApiDocument): Told {
  const sent = operation.requestBody.content['application/json'];
  const answered = operation.responses[200].content['application/json'];
  return {
    name,
    section: operation.tags[0] ?? '',
    summary: operation.description.split('\n\n')[0] ?? '',
    scope: operation['x-scope'],
    access: operation['x-access'],
    feature: operation['x-feature'],
    input: sent.schema.properties.data ?? {},
    output: answered.schema.properties.result ?? {},
    message: operation['x-stream']?.message,
    errors: operation['x-errors'].map((code) => {
      const { http = 0, message = '' } = document['x-error-codes'][code] ?? {};
      return { code, http, message };
    }),
    example:
      sent.example && answered.example ? { input: sent.example.data, output: answered.example.result } : undefined,
  };
}
