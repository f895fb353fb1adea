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
