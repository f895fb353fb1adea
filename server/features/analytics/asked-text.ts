/** The text that a question is told from others by: what it goes on from comes first. */
export function textOf({ question, saidBefore }: { question: string; saidBefore: string | null }): string {
  return saidBefore === null ? question : `${saidBefore} … ${question}`;
}
