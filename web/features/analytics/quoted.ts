/** An answer as plain text: the marks of quotes, which the chat draws, would be read as signs of the text. */
export function withoutQuoteMarks(answer: string): string {
  return answer.replace(/^> ?/gm, '');
}
