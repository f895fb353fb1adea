import { z } from 'zod';
import { type GoogleAccount, googleGrant, tokenForm } from '#server/lib/google-account.ts';
import { askProvider, failureFrom, reasonIn } from '#server/lib/provider-http.ts';
import type { Piece, Protocol } from './stream.ts';

export interface VertexOptions {
  project: string;
  /** A region such as europe-west4, or global. */
  location: string;
  model: string;
  account: GoogleAccount;
  temperature?: number | undefined;
  /** In place of Google's address. */
  baseUrl?: string | undefined;
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const tokenTimeoutMs = 10_000;
/** A token that ends while it is on its way is refused. */
const marginMs = 60_000;

const chunk = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z.array(z.object({ text: z.string().optional(), thought: z.boolean().optional() })).optional(),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().optional(),
      candidatesTokenCount: z.number().optional(),
      thoughtsTokenCount: z.number().optional(),
    })
    .optional(),
  error: z.unknown().optional(),
});

/** Gemini on Google Vertex AI (`streamGenerateContent`), signed in as a service account. */
export function vertexProtocol({ project, location, model, account, temperature, baseUrl }: VertexOptions): Protocol {
  const host = location === 'global' ? 'aiplatform.googleapis.com' : `${location}-aiplatform.googleapis.com`;
  const path = ['projects', project, 'locations', location, 'publishers', 'google', 'models', model];
  const url = `${baseUrl ?? `https://${host}`}/v1/${path.map(encodeURIComponent).join('/')}:streamGenerateContent?alt=sse`;
  let granted: { token: string; until: number } | null = null;

  async function accessToken(signal: AbortSignal): Promise<string> {
    if (granted && Date.now() < granted.until) return granted.token;
    const body = await tokenForm(account, scope);
    const { access_token, expires_in } = await askProvider(
      { url: account.token_uri, headers: {}, body, signal },
      { answer: googleGrant, timeoutMs: tokenTimeoutMs },
    );
    granted = { token: access_token, until: Date.now() + expires_in * 1000 - marginMs };
    return access_token;
  }

  return {
    async request({ system, messages, maxTokens }, signal) {
      return {
        url,
        headers: { authorization: `Bearer ${await accessToken(signal)}` },
        body: {
          systemInstruction: { parts: [{ text: system }] },
          contents: messages.map(({ role, text }) => ({
            role: role === 'assistant' ? 'model' : 'user',
            parts: [{ text }],
          })),
          generationConfig: { maxOutputTokens: maxTokens, ...(temperature !== undefined && { temperature }) },
        },
      };
    },

    read(event): Piece {
      const { candidates, promptFeedback, usageMetadata: usage, error } = chunk.parse(event);
      if (error) throw failureFrom(reasonIn(event));
      const candidate = candidates?.[0];
      return {
        // What it thinks is marked, and is no part of the answer.
        text: candidate?.content?.parts?.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
        usage: usage && {
          inputTokens: usage.promptTokenCount ?? 0,
          outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
        },
        end: promptFeedback?.blockReason ? 'refused' : endOf(candidate?.finishReason),
      };
    },
  };
}

/** All but two of the reasons are filters. */
function endOf(reason: string | undefined): Piece['end'] {
  if (reason === undefined || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  if (reason === 'STOP') return 'done';
  return reason === 'MAX_TOKENS' ? 'length' : 'refused';
}
