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
     * The same, and where few of as many as were asked for are of documents that have a name of the question, the best
     * of those documents: to the engine a name is a word like others, and where many reports are alike those of others
     * have all the rest.
     */
    async proposeWithNamed(question: Question): Promise<Candidate[]> {
      const found = await propose(question);
      const names = found.length < request.limit ? [] : namesOfFew(found, question.names);
      return names.length === 0 ? found : [...found, ...(await propose(question, names))];
    },
  };
}

/** Those of the names that fewer than half of the candidates' documents have in their name or at their beginning. */
function namesOfFew(candidates: readonly Candidate[], names: ReadonlySet<string>): string[] {
  if (names.size === 0) return [];
  const documents = candidates.map(({ terms }) => documentTermsOf(terms));
  return [...names].filter(
    (name) => name.length > 1 && 2 * documents.filter((own) => own.has(name)).length < documents.length,
  );
}
