import type { Client } from '#client/client.ts';
import type { CallMessage } from '#contract/calls.ts';

/** The live list of files, as it comes. */
export interface Watch {
  messages: CallMessage<'watchFiles'>[];
  /** As the stream ends; need not be awaited. */
  ended: Promise<unknown>;
}

/**
 * Opens the live list, and resolves once its first message has come, or it has ended: what is done to one that is not
 * open yet is refused, where it would have been cut.
 */
export async function watchFiles(client: Client, since?: string): Promise<Watch> {
  const messages: Watch['messages'] = [];
  const begun = Promise.withResolvers<void>();
  const ended = client.stream('watchFiles', since === undefined ? null : { since }, (message) => {
    messages.push(message);
    begun.resolve();
  });
  await Promise.race([begun.promise, ended.catch(() => {})]);
  return { messages, ended };
}
