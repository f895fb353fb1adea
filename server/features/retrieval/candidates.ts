import { documentTermsOf } from '#server/lib/term-lines.ts';
import type { Candidate, SearchRequest, SearchStore } from '#server/ports/search/port.ts';
import type { Question } from './question/question.ts';

/** Asked from the engine at least: most of the ranking is ours. More cost time and bring nothing (decision 0014). */
export const minCandidates = 60;

/** What the engine proposes for a question, best first by its own measure. */
export function createProposals(store: SearchStore, companyId: string, request: SearchRequest) {
  const propose = ({ weights, standIns, elsewhere, similar }: Question, about?: readonly string[]) =>
    store.search(companyId, {
      ...request,
      also: [...new Set([...weights.keys(), ...elsewhere.keys(), ...standIns.keys(), ...similar.keys()])],
      ...(about && { about, limit: minCandidates }),
    });

  return {
    propose,

    /**
     * The same, and where few of all that were asked for are of documents that the question names, the best of those:
     * to the engine a name is a word like others, and where many documents are alike those of others have all the rest.
     */
    async proposeWithNamed(question: Question): Promise<Candidate[]> {
      const found = await propose(question);
      const names = [...question.names];
      if (found.length < request.limit || !areFewAbout(found, names)) return found;
      return [...found, ...(await propose(question, names))];
    },
  };
}

/** Whether fewer than half of the candidates are of documents that the names are the names of. */
function areFewAbout(candidates: readonly Candidate[], names: readonly string[]): boolean {
  if (names.length === 0) return false;
  const about = candidates.filter(({ terms }) => {
    const own = documentTermsOf(terms);
    return names.some((name) => own.has(name));
  });
  return 2 * about.length < candidates.length;
}
