/** How currencies are written in English, German, French, Spanish and Italian. A pound may be a weight. */
const currencies: Record<string, RegExp> = {
  euro: /€|(?<![\p{L}])(?:EUR|T€|TEUR|euros?)(?!\p{L})/iu,
  dollar: /\$|(?<!\p{L})(?:USD|dollars?|dólares|dollari)(?!\p{L})/iu,
  pound: /£|(?<!\p{L})(?:GBP|pounds? sterling)(?!\p{L})/iu,
  franc: /(?<!\p{L})(?:CHF|SFr\.?|Swiss francs?|Franken|francs suisses)(?!\p{L})/iu,
  yen: /¥|(?<!\p{L})(?:JPY|yen)(?!\p{L})/iu,
  rupee: /₹|(?<!\p{L})(?:INR|rupees?)(?!\p{L})/iu,
};

/** The currencies that a text names, by sign, code or word. */
export function currenciesIn(text: string): Set<string> {
  return new Set(Object.keys(currencies).filter((name) => currencies[name]?.test(text)));
}

/** Whether a line is about money of other currencies than those that are asked for; about none it may be of any. */
export function isOtherCurrency(asked: ReadonlySet<string>, text: string): boolean {
  if (asked.size === 0) return false;
  const own = currenciesIn(text);
  return own.size > 0 && own.isDisjointFrom(asked);
}
