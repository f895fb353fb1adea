import type { RecognisedPage } from '../parsers/parser.ts';
import type { ParsedDocument } from './collector.ts';
import type { ParseRequest, Sandbox } from './sandbox.ts';
import { TakesLong } from './worker.ts';

/** Parses a file however long it takes. @throws what `parse` throws but TakesLong */
export async function parsePatiently(sandbox: Sandbox, request: ParseRequest): Promise<ParsedDocument> {
  const known = [...(request.known ?? [])];
  const onRecognised = (page: RecognisedPage) => {
    known.push(page);
    request.onRecognised?.(page);
  };
  try {
    return await sandbox.parse({ ...request, onRecognised });
  } catch (error) {
    if (error instanceof TakesLong) return sandbox.parse({ ...request, known, mayTakeLong: true });
    throw error;
  }
}
