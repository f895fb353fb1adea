import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { AgentSettings } from '#contract/agent.ts';
import type { CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { showChanged } from './query-client.ts';
import { reloadSessionSoon } from './session.ts';

/** How the assistant answers, with the versions of it that were saved. */
export type ChatAgent = CallOutput<'getChatAgent'>;
/** An answer that was only tried. */
export type TriedAnswer = CallOutput<'tryChatAgent'>;

export const chatAgentQuery = queryOptions({
  queryKey: ['chat-agent'],
  queryFn: ({ signal }) => call('getChatAgent', null, { signal }),
});

/** Saves the settings as a new version. */
export const saveChatAgent = mutationOptions({
  mutationFn: async (settings: AgentSettings) => changed(await call('saveChatAgent', { settings })),
});

/** Goes back to a saved version. */
export const restoreChatAgent = mutationOptions({
  mutationFn: async (version: number) => changed(await call('restoreChatAgent', { version })),
});

/** Asks by the settings as they are saved and, where there are others, by those. */
export const tryChatAgent = mutationOptions({
  mutationFn: async ({ question, settings }: { question: string; settings: AgentSettings | null }) => {
    const [before, after] = await Promise.all([
      call('tryChatAgent', { question }),
      settings && call('tryChatAgent', { question, settings }),
    ]);
    return { before, after };
  },
});

async function changed(agent: ChatAgent): Promise<ChatAgent> {
  await showChanged(chatAgentQuery, agent);
  // The chat shows some of it.
  reloadSessionSoon();
  return agent;
}
