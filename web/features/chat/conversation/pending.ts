import type { AnswerLanguage } from '#contract/agent.ts';
import type { AnswerClaim, UnsupportedClaim } from '#contract/calls/answers.ts';
import type { CallMessage } from '#contract/calls.ts';
import { randomKey } from '#web/lib/random-key.ts';
import { readSource, type Source } from './message.ts';

/** An answer on its way: what has come of it. */
export interface Pending {
  id: string;
  text: string;
  sources: readonly Source[];
  unsupported: readonly UnsupportedClaim[];
  unchecked: readonly AnswerClaim[];
  /** What is being written behind the text, and not checked yet. */
  draft: string;
  /** A model writes it. */
  isWritten: boolean;
  /** Why it began anew. */
  notice?: string;
  language?: AnswerLanguage;
  followingUp?: string;
}

/** Before anything has come; what is known of it already stays. */
export function nothingYet({ language, followingUp, id = randomKey() }: Partial<Pending> = {}): Pending {
  return {
    id,
    ...(language === undefined ? {} : { language }),
    ...(followingUp === undefined ? {} : { followingUp }),
    text: '',
    sources: [],
    unsupported: [],
    unchecked: [],
    draft: '',
    isWritten: false,
  };
}

/** The answer after one more message of its stream. */
export function grown(pending: Pending, heard: CallMessage<'query'>): Pending {
  switch (heard.type) {
    case 'status': {
      const { language = pending.language, followingUp = pending.followingUp } = heard;
      return {
        ...pending,
        ...(language === undefined ? {} : { language }),
        ...(followingUp === undefined ? {} : { followingUp }),
      };
    }
    case 'token':
      return { ...pending, text: pending.text + heard.text };
    case 'citation':
      return { ...pending, sources: [...pending.sources, readSource(heard.source, pending.sources.length + 1)] };
    case 'unsupported':
      return { ...pending, unsupported: [...pending.unsupported, heard.claim] };
    case 'unchecked':
      return { ...pending, unchecked: [...pending.unchecked, heard.claim] };
    case 'draft':
      return { ...pending, draft: pending.draft.slice(0, heard.from) + heard.text, isWritten: true };
    case 'restart':
      return { ...nothingYet(pending), ...(heard.notice === undefined ? {} : { notice: heard.notice }) };
    default:
      return pending;
  }
}
