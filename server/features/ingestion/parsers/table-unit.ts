const unit =
  /(?:\b(?:in|amounts? in|expressed in|stated in|figures? in|angaben in|en|in|valeurs? en|cifras en|importi in)\s+)?(?:(?:US)?\$|€|£|USD|EUR|CHF|GBP|US dollars?|euros?|dollars?)?\s*(?:in\s+)?\b(?:thousands?|millions?|billions?|tausend|tsd\.?|mio\.?|millionen|mrd\.?|milliarden|milliers|milliards|miles|millones|TEUR|T€|000s?)\b(?:\s+(?:of\s+)?(?:(?:US|U\.S\.)?\s?dollars?|euros?|€|\$|EUR|USD|CHF|Euro|d['’]euros|de euros|except[^)]{0,60}))?|\(\s*(?:in\s+)?(?:\$|€|£|%|EUR|USD|CHF|US\$|dollars|euros)\s*\)/i;

/** What figures count, where the lines above them say: `in thousands`, `€`. */
export function unitIn(lines: readonly string[]): string | undefined {
  return unit.exec(lines.join(' | '))?.[0].replace(/^[\s(|]+|[\s)|]+$/g, '') || undefined;
}
