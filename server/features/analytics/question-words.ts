/** Words by which questions are told apart, or not, in the languages that are asked in most. */

/** They frame a question, and say nothing of what it is about. */
export const frameWords = `
  kind type sort form two three people person amount number value year make made ve ll re call called name named known know term refer referred describe describe described explain exactly
  roughly approximately typically usually generally respective respectively use used using thing also please tell say said
  show give find happen happened main some one same current currently following mention mentioned different own
  viel viele jahr jahren wen wem wessen während je laut text zwei drei menge zahl anzahl wert mensch menschen person personen
  lautet lauten heißt hieß heißen name nennt nannte genannt bezeichnet art genau etwa ungefähr eigentlich bitte sagen zeigen befindet
  liegt gibt verwendet verwenden
  an année nombre quantité valeur personne deux trois appelle nomme nommé genre sorte type exactement environ svp dire montrer trouve utilise
  año número cantidad valor persona dos tres llama nombre nombrado tipo clase exactamente aproximadamente favor decir mostrar encuentra usa
  anno numero quantità valore persona due tre chiama nome tipo genere esattamente circa favore dire mostrare trova usa`;

/** What turns a question into its opposite. */
export const negations =
  /(?<!\p{L})(?:not|never|none|cannot|without|except|nicht|kein\p{L}*|nie|niemals|ohne|außer|ne|n['’](?=\p{L})|jamais|sans|sauf|no(?!\.)|nunca|sin|excepto|non|mai|senza)(?!\p{L})|n['’]t(?!\p{L})|[不没沒无無非未]|(?<!\p{L})(?:لا|لم|ليس|ليست|لن|بدون)(?!\p{L})|(?<!\p{L})(?:не|нет|без)(?!\p{L})/giu;

/** What asks for the way in which something is done, where it asks for nothing else. */
export const manner = /^\W*(?:how|wie(?! (?:hei|hie|laut|nenn))|comment|cómo|come)(?!\p{L})|如何|怎|كيف/iu;

/** Of each pair and group, questions that have one and questions that don't are different, however alike they are. */
export const contrasts: readonly (readonly [string, RegExp])[] = [
  ['before', /(?<!\p{L})(?:before|vor|bevor|avant|antes|prima|ahead of|prior)(?!\p{L})|之前|以前|قبل/iu],
  ['after', /(?<!\p{L})(?:after|nach|nachdem|après|después|dopo)(?!\p{L})|之后|以后|بعد/iu],
  ['first', /(?<!\p{L})(?:first|erste[nrsm]?|premi[eè]re?|primer[oa]?|prim[oa])(?!\p{L})|首任|第一|الأول|أول/iu],
  ['last', /(?<!\p{L})(?:last|letzte[nrsm]?|derni[eè]re?|últim[oa]|ultim[oa])(?!\p{L})|最后|最近/iu],
  ['deputy', /(?<!\p{L})(?:vice|deputy|stellvertretend\p{L}*|adjointe?|adjunt[oa])(?!\p{L})|副|نائب/iu],
  [
    'share',
    /(?<!\p{L})(?:per ?cent(?:age)?|proportion|ratio|share|portion|prozent\p{L}*|anteil\p{L}*|pourcentage|porcentaje|percentuale)(?!\p{L})|[%％]|百分|نسبة/iu,
  ],
  ['average', /(?<!\p{L})(?:average|mean|durchschnitt\p{L}*|moyenne?|promedio|media)(?!\p{L})|平均|متوسط/iu],
  ['total', /(?<!\p{L})(?:total|sum|overall|summe|gesamt\p{L}*|insgesamt|somme|suma|totale)(?!\p{L})|总|إجمالي/iu],
  [
    'change',
    /(?<!\p{L})(?:chang\p{L}*|differ(?:s|ences?)?|increas\p{L}*|decreas\p{L}*|rise|rose|fall|fell|[äa]nder\p{L}*|unterschied\p{L}*|variation|cambi\p{L}*|diferencia)(?!\p{L})|变化|تغيير/iu,
  ],
  [
    'other',
    /(?<!\p{L})(?:other|another|else|additional|andere[nrsm]?|weitere[nrsm]?|autres?|otr[oa]s?|altr[oaie])(?!\p{L})|另一|其他|أخرى|آخر/iu,
  ],
];
