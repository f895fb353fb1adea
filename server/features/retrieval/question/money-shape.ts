import { begin, end, type Shape } from './time-shapes.ts';

/** Words for what is paid, owned or owed. */
const words =
  '(?:money|geld|income|revenues?|expens(?:es?|ditures?)|expenditures?|costs?|spend|spent|pa(?:y|id)|payments?|earn(?:ed|s)?|fees?|royalt(?:y|ies)|tax(?:es)?|rents?|salar(?:y|ies)|wages?|budget|profits?|(?<!(?:driver|staff|employee|personnel|labou?r|inventory|stock|asset) )turnover|sales|assets|liabilities|equity|cash|debts?|donations?|grants?|dividends?|deficit|surplus|proceeds|net (?:gains?|loss(?:es)?)|(?:fair|book|carrying|market) values?|prices?|fines?|penalt(?:y|ies)|worth|charged?|kost(?:en|et|ete)|zahlt|bezahlt|ausgaben|einnahmen|umsatz|gewinn|gehalt|preis|gebühr\\w*|coût\\w*|prix|payer|dépens\\w*|recettes|salaire|cost[óoe]s?|cuesta|precio|pagar|pagó|gast[óoa]s?|ingresos|salario|tarifa|prezzo|costa(?:no)?|pagare|spes[ae]|ricavi|stipendio|(?:mitglieds|jahres|monats)beitr[aä]ge?|miete|l[oö]hne?|bu(?:ß|ss)geld\\w*|cotisation|loyer|amende|cuota|multa|alquiler|sueldo|affitto)';

/**
 * "Dog licence fee in Belmont": a few words that are no sentence, and begin with what is to be paid for what. All signs
 * before the first letter are left aside together: signs may stand in words, too, and a row of them could be parted in
 * many ways.
 */
const keyword =
  "^[^\\p{L}\\p{N}]*(?=[\\p{L}\\p{N}])(?!(?:is|are|was|were|do|does|did|can|may|must|should|will|would|has|have|who|where|when|why|how|which|what|explain|describe|list|tell|show|give|summari[sz]e|define|compare)\\s)(?:[\\p{L}\\p{M}\\p{N}'’.&-]+:? ){0,4}(?:fees?|fines?|prices?|costs?|penalt(?:y|ies)|charges?|salar(?:y|ies)|rents?|wages?)(?: (?:of|for|in|at|to|per|under|on) |[^\\p{L}\\p{N}]*$)";

/**
 * "Acme total assets 2023": a few words with a year that are no sentence either, and name what statements have figures
 * of. What is worked out of two of them (a margin, a growth) is no money, nor are people, rules and places.
 */
const titled =
  "^[^\\p{L}\\p{N}]*(?=[\\p{L}\\p{N}])(?=.{0,300}?(?:(?<!\\d)(?:19|20)\\d\\d(?!\\d)|(?<!\\p{L})(?:FY ?['’]?\\d\\d|Q[1-4])(?!\\p{L})))(?!.{0,300}?(?<!\\p{L})(?:is|are|was|were|do|does|did|can|may|must|could|should|will|would|shall|might|has|have|had|am|any|who|where|when|why|how|which|what|explain|describe|list|tell|show|give|name|find|state|identify|summari[sz]e|define|compare|growth|grew|increases?|decreases?|changes?|declines?|rise|fall|drop|trends?|margins?|rates?|ratios?|shares?|percent(?:age)?|numbers?|count|volumes?|units?|people|staff|members?|employees?|headcount|days?|policy|policies|rules?|team|manager|department|deadline|forms?|codes?|goals?|useful|films?)(?!\\p{L})).{0,80}?(?<!\\p{L})(?:income|revenues?|expens(?:es?|ditures?)|expenditures?|costs?|spend(?:ing)?|fees?|royalties|taxes|rents?|salar(?:y|ies)|wages?|profits?|sales|assets|liabilities|equity|cash|debts?|donations?|grants|dividends?)(?!\\p{L})";

/** How questions ask for money, and what stands in a text that has some. */
export const money: Shape = {
  asked: new RegExp(
    `${begin}(?:(?:how much|what|wie (?:viel|hoch)|wieviel|was(?=.{0,80}?(?:kost|zahl|verdien))|combien|quel\\p{L}*|cu[áa]nto|qu[ée]|quanto|quale)${end}.{0,80}?${begin}${words}${end}|(?:which|welche\\p{L}*) (?:\\p{L}+ ){0,2}${words}${end}|how (?:large|big|high|low)${end}.{0,40}?${begin}(?:gains?|loss(?:es)?(?! of)|${words})${end}(?![ -](?:rates?|ratios?|teams?|offices?|stakes?|risks?|shares?))|(?:for how much|how much (?:did|does|do|will|has|have))${end}.{0,80}?${begin}(?:sell|sold)${end}|how expensive|wie teuer)|${keyword}|${titled}`,
    'iu',
  ),
  answer: new RegExp(
    `[$€£¥₹]|${begin}(?:USD|EUR|GBP|CHF|INR|JPY|dollars?|euros?|pounds?|francs?|cents?|yen|rupees?|Franken|free of charge|no (?:fees?|charges?|costs?)|kostenlos|gratuite?s?|gratis)${end}|${begin}(?:million|billion|trillion|Mio|Mrd|Millionen|Milliarden|millions|milliards|millones)${end}|\\d{1,3}(?:[,.'’ ]\\d{3})+(?:[.,]\\d{2})?(?!\\d)|(?<!\\d[.,]|(?:§|sections?|articles?|art\\.|clauses?|rules?) ?)(?<!\\d)\\d+[.,]\\d{2}(?!\\d|\\.\\d)`,
    'iu',
  ),
};
