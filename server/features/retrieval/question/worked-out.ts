/**
 * What a question asks to be worked out of two amounts or more, in English, German, French, Spanish, Italian: "the sum
 * of A and B", "the ratio of A to B", "A and B respectively".
 */
const workedOut =
  /(?<!\p{L})(?:sum|differences?|ratio|proportion|percent(?:age)?|fraction|average|mean|changes?|changed|combined|altogether|both|compared|between|respective(?:ly)?|versus|vs|summe|differenz|unterschied|verhältnis|anteil|prozent(?:satz|uale\p{L}*)?|durchschnitt(?:lich\p{L}*)?|(?:ver)?änderung|zusammen|beiden?|beziehungsweise|jeweils|vergl(?:ichen|eich)|zwischen|somme|différence|rapport|proportion|pourcentage|moyenne|variation|ensemble|respectivement|entre|suma|diferencia|proporción|porcentaje|promedio|media|variación|juntos|ambos|ambas|respectivamente|somma|differenza|rapporto|percentuale|variazione|insieme|entrambi|rispettivamente|tra)(?!\p{L})/iu;

/** Whether a question may need several rows of one table: none of them alone is the answer. */
export function asksToWorkOut(question: string): boolean {
  return workedOut.test(question);
}

const shareOfTwo =
  /(?<!\p{L})(?:percent(?:age)?|%) (?:points? )?(?:change|increase|decrease|growth|difference|variation|rise|decline|drop)(?!\p{L})|(?<!\p{L})(?:change|difference|increase|decrease) (?:in|of) (?:the )?percent(?:age)?(?!\p{L})|(?<!\p{L})percent(?:age)? of .{1,120} (?:over|out of|against|to|of) (?:the )?totals?(?!\p{L})|(?<!\p{L})as a percent(?:age)? of(?!\p{L})|prozentuale \p{L}*(?:änderung|zunahme|abnahme|veränderung|anstieg|rückgang)|(?:variation|augmentation|évolution) en pourcentage|(?:variación|cambio|aumento) porcentual|variazione percentuale/iu;

/**
 * Whether a percentage is asked for that has to be worked out of two amounts: "the percentage change in net income from
 * 2018 to 2019", "the percentage of audit fees out of total fees". The amounts themselves are no percentages.
 */
export function asksShareOfTwo(question: string): boolean {
  return shareOfTwo.test(question);
}
