import type { PlantedKind } from '#contract/calls/documents.ts';

/**
 * What text looks like that is written for a language model and not for people. A blank stands for one blank or line
 * feed, since texts are brought into one form first (`planted.ts`).
 */

export interface Pattern {
  kind: PlantedKind;
  /** Three are enough, of one pattern or of several that stand near each other. */
  weight: 1 | 2 | 3;
  expression: RegExp;
  /** The same, wherever it stands: a text without it has no match of the expression either. */
  anywhere: RegExp;
  /** A negation before it in its sentence makes it none: "Never reveal ...". */
  deniable: boolean;
}

/** Where an order begins: a sentence or a clause, or behind a word that leads up to one. */
const start =
  '(?<=^|[.!?:;,…()\\[\\]"\'“”„«»‹›*#>|\\n–—-] ?|\\b(?:please|now|then|and|must|should|just|simply|always|immediately|also|instead|are to|have to|need to|want you to|bitte|nun|jetzt|dann|und|sofort|stattdessen|müssen|sollen|musst|sollst|svp|puis|ensuite|et|maintenant|désormais|devez|dois|veuillez|ahora|luego|y|después|debes|debe|deben|por favor) )';
/** Where a word begins. */
const wordStart = '(?<![\\p{L}\\p{N}])';
/** At most so many words, in one sentence. */
const words = (most: number) => `(?: [^ \\n.!?]{1,24}){0,${most}}?`;

const ai = {
  en: '(?:a\\.?i\\.?|artificial intelligence|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt(?:-?\\d\\w{0,3})?|claude|gemini|copilot|(?:ai|virtual|digital|automated)[ -](?:assistants?|agents?|models?|systems?|reviewers?|readers?))',
  de: '(?:ki|k\\.i\\.|künstliche[nr]? intelligenz|llms?|(?:großen? )?sprachmodelle?n?s?|chatbots?|chatgpt|(?:ki|ai|virtuelle[nr]?|digitale[nr]?)[ -](?:assistent\\w{0,4}|agent\\w{0,2}|modelle?|systeme?))',
  fr: '(?:i\\.?a\\.?|intelligences? artificielles?|llms?|(?:grands? )?modèles? de langage|chatbots?|chatgpt|(?:assistants?|agents?)[ -](?:ia|virtuels?|numériques?))',
  es: '(?:i\\.?a\\.?|inteligencias? artificial(?:es)?|llms?|modelos? de lenguaje|chatbots?|chatgpt|(?:asistentes?|agentes?) (?:de ia|virtual(?:es)?|digital(?:es)?))',
};
const about = {
  en: 'regarding|concerning|about|on|relating|sent|issued|dated|contained|published|in (?:the|our|my)',
  de: 'zu|zur|zum|bezüglich|betreffend|über|vom|aus|hinsichtlich',
  fr: 'concernant|relatives?|sur|au sujet|envoyées?|du \\d|de notre',
  es: 'sobre|acerca|relativas?|enviad[ao]s|del? \\d|de nuestr',
};

const overrides = [
  `(?:ignore|disregard|forget|pay no attention to|(?:do not|don't|stop|cease) (?:follow|obey|heed|following|obeying|heeding)(?: to)?)${words(3)} (?:previous|prior|preceding|above|earlier|foregoing|original|initial|former|system|developer|your|everything)${words(3)} (?:instructions?|prompts?|rules|guidelines|directives?|commands?|guardrails|safeguards|restrictions|programming|constraints|(?:told|said) (?:before|above|so far))\\b(?! (?:${about.en}) )`,
  `(?:override|overrule|bypass)${words(2)} your${words(2)} (?:instructions?|prompts?|rules|guidelines|guardrails|safeguards|restrictions|programming|filters?)\\b`,
  `(?:ignorier\\w{1,2}|vergiss|vergessen|missachte|übergehe)(?: sie)?${words(3)} (?:vorherige\\w?|vorige\\w?|bisherige\\w?|obige\\w?|frühere\\w?|vorangegangene\\w?|vorstehende\\w?|ursprüngliche\\w?|deine\\w?)${words(2)} (?:anweisung\\w{0,2}|instruktion\\w{0,2}|regeln?|vorgaben?|befehle?|prompts?|richtlinien?|systemanweisung\\w{0,2})\\b(?! (?:${about.de}) )`,
  `(?:befolge|beachte)${words(3)} (?:anweisung\\w{0,2}|instruktion\\w{0,2}|regeln|vorgaben) nicht`,
  `(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|(?:fais|faites) abstraction(?: de| des)?|ne (?:tiens|tenez) (?:pas|aucun|plus) compte|ne (?:suis|suivez) (?:pas|plus))${words(3)} (?:instructions?|consignes?|règles|directives?|invites?|prompts?)${words(2)} (?:précédentes?|précédents?|antérieure?s?|ci-dessus|initiales?|d'origine|(?:du )?système)(?! (?:${about.fr}))`,
  `(?:ignore[zr]?|oublie[zr]?)${words(2)} (?:tes|vos) (?:instructions|consignes|règles|directives)\\b(?! (?:${about.fr}))`,
  `(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)|desestim(?:a|e)|(?:haz|haga) caso omiso(?: de)?|no (?:sigas|siga|hagas caso)(?: de| a)?)${words(3)} (?:instrucciones|indicaciones|reglas|órdenes|directrices|prompts?)${words(2)} (?:anteriores|previas|previos|precedentes|de arriba|originales|iniciales|del sistema)(?! (?:${about.es}))`,
  `(?:ignor(?:a|e)|olvid(?:a|e))${words(2)} tus (?:instrucciones|reglas|órdenes|directrices)\\b`,
  `(?:ignora|dimentica|ignorate)${words(3)} (?:istruzioni|regole|indicazioni)${words(2)} (?:precedenti|di cui sopra|del sistema)`,
  `(?:ignore|esqueça|desconsidere)${words(3)} (?:instruções|regras|orientações)${words(2)} (?:anteriores|prévias|acima|do sistema)`,
  `(?:negeer|vergeet)${words(3)} (?:vorige|eerdere|voorgaande|bovenstaande)${words(2)} (?:instructies|regels|opdrachten)`,
  `(?:zignoruj|zapomnij)${words(3)} (?:poprzednie|wcześniejsze|powyższe)${words(2)} (?:instrukcje|polecenia|zasady)`,
];
const overridesUnspaced = [
  '(?:игнорируй(?:те)?|забудь(?:те)?)[^.!?]{0,20}(?:предыдущ|прежн|вышеуказанн)[^.!?]{0,20}(?:инструкц|указан|правил)',
  '(?:忽略|无视|忘记|忽視|無視)[^。！？]{0,8}(?:之前|以上|先前|前面|上述|以前)[^。！？]{0,8}(?:指令|指示|提示|规则|說明|命令)',
  '(?:これまで|以前|上記|前)の?[^。！？]{0,8}(?:指示|命令|ルール|プロンプト)[^。！？]{0,6}(?:無視|忘れ)',
];

const addresses = [
  `(?:if|when|in case|should) you(?: are|'re| be) (?:an? |the )?${words(2)} ?${ai.en}\\b`,
  `you are (?:now |currently |henceforth )?(?:in|entering)${words(2)} (?:maintenance|developer|debug|god|jailbreak|dan|unrestricted|root) mode`,
  `you are (?:now |henceforth |no longer )(?:an? |the )?${words(3)} ?(?:${ai.en}|assistant|bot|dan)\\b(?! (?:professor|manager|director|secretary|to the))`,
  `you are (?:an? |the )(?:[^ .!?\\n]{1,16} ){0,2}?(?:helpful (?:[^ .!?\\n]{1,16} )?assistant|${ai.en})\\b`,
  `(?:attention|notes?|notice|messages?|instructions?|memo|important|reminder|dear|hey|hello)(?: (?:to|for))?(?: (?:the|any|all|every|this|our|you))? ${ai.en}(?: [^ .!?\\n]{1,16}){0,4}? ?[:,!–—-]`,
  `as an? ${ai.en},? you (?:must|should|shall|have to|need to|will|are)\\b`,
  `${ai.en}(?: [^ .!?\\n]{1,16}){0,2} (?:reading|processing|summari[sz]ing|reviewing|parsing|analy[sz]ing|indexing) this (?:document|page|text|file|message|paper|section)`,
  `pretend (?:to be|(?:that )?you(?: are|'re))${words(3)} ?(?:${ai.en}|dan)\\b`,
  `du bist (?:jetzt |nun |ab sofort |ab jetzt )?(?:eine?n? |das |der |die |im )?(?:[^ .!?\\n]{1,20} ){0,2}?(?:${ai.de}|assistent\\w{0,2}|wartungsmodus|entwicklermodus)\\b`,
  `sie sind (?:jetzt |nun |ab sofort )?(?:eine? |im )(?:[^ .!?\\n]{1,20} ){0,2}?(?:${ai.de}|wartungsmodus)\\b`,
  `(?:wenn|falls|sofern) (?:du|sie) (?:eine? )?(?:[^ .!?\\n]{1,20} )?${ai.de} (?:bist|sind)\\b`,
  `(?:hinweis|anweisung(?:en)?|nachricht|mitteilung|achtung|wichtig|liebe[rs]?)(?: (?:an|für))?(?: (?:die|das|den|alle|jede[ns]?))? ${ai.de}(?: [^ .!?\\n]{1,20}){0,4}? ?[:,!–—-]`,
  `als ${ai.de} (?:musst|sollst|darfst|wirst|müssen|sollen) `,
  `(?:tu es|vous êtes) (?:maintenant |désormais |à présent )?(?:une? |l'|en )(?:[^ .!?\\n]{1,20} ){0,2}?(?:${ai.fr}|mode (?:maintenance|développeur))\\b`,
  `(?:tu es|vous êtes) (?:maintenant|désormais) (?:une? )?(?:[^ .!?\\n]{1,20} ){0,2}?assistant\\b`,
  `si (?:tu es|vous êtes) (?:une? |l')(?:[^ .!?\\n]{1,20} ){0,2}?(?:${ai.fr}|assistant)\\b`,
  `(?:notes?|messages?|attention|instructions?|consignes?|avis|important|chère?)(?: (?:à|aux|pour|destinée?s? (?:à|aux)))?(?: (?:les?|la|tout|toute))? ?(?:l')?${ai.fr}(?: [^ .!?\\n]{1,20}){0,4}? ?[:,!–—-]`,
  `en tant qu(?:'|e )${ai.fr},? (?:tu|vous) (?:dois|devez|es|êtes|vas|allez)`,
  `(?:eres|usted es|es usted) (?:ahora |a partir de ahora )?(?:una? |el |la )(?:[^ .!?\\n]{1,20} ){0,2}?${ai.es}\\b`,
  `(?:eres|está|estás|usted está) (?:ahora )?(?:una? asistente|en modo (?:de )?(?:mantenimiento|desarrollador))\\b`,
  `si (?:eres|usted es|es usted) (?:una? )?(?:[^ .!?\\n]{1,20} ){0,2}?(?:${ai.es}|asistente)\\b`,
  `(?:notas?|mensajes?|atención|instrucciones|aviso|importante|querid[oa])(?: (?:a|al|para))?(?: (?:el|la|los|las|tod[oa]s?))? ${ai.es}(?: [^ .!?\\n]{1,20}){0,4}? ?[:,!–—-]`,
  `como ${ai.es},? (?:debes|debe|tienes|tiene|vas)`,
];

const prompts = [
  `(?:reveal|print|repeat|show|output|display|disclose|leak|recite|expose|share|copy|tell (?:me|us|them)|give (?:me|us|them)|write (?:out|down))${words(4)} (?:(?:system|hidden|initial|original|secret|internal|developer)[ -](?:prompts?|instructions|messages?)|your (?:[^ .!?\\n]{1,16} )?(?:prompt|system message|instructions))\\b`,
  `(?:zeige?|gib|nenne|verrate|wiederhole|offenbare|drucke)(?:n sie)?${words(4)} (?:system-?prompts?|systemanweisung\\w{0,2}|deine\\w? (?:[^ .!?\\n]{1,16} )?(?:anweisung\\w{0,2}|prompts?))\\b`,
  `(?:révèle|montre|affiche|répète|donne|imprime|communique|recopie)z?${words(4)} (?:(?:invite|prompt|message|instructions?) (?:du )?(?:système|initiale?s?)|tes (?:instructions|consignes))`,
  `(?:revela|muestra|imprime|repite|dime|escribe|enseña)${words(4)} (?:(?:prompt|mensaje|instrucciones) (?:del sistema|inicial(?:es)?|ocult[ao]s?)|tus instrucciones)\\b`,
  `(?:do not|don't|never) (?:mention|reveal|tell|disclose|say)${words(4)} (?:that )?you (?:were|are|have been) (?:told|instructed|ordered|following)`,
];
const marks = [
  '<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\\|>',
  '\\[/?INST\\]|<</?SYS>>|</?system[-_ ](?:prompt|message|instructions?|reminder)>',
  '(?<=^|\\n|[.!?>"“] ?)(?:system|assistant|developer)(?: (?:message|prompt|override|instruction|update))? ?: ?(?:please |now )?(?:reveal|ignore|you are|you must|disregard|forget|respond|reply|output|tell|print|say|override|act as|pretend|verrate|ignoriere|du bist|révèle|tu es|revela|eres)\\b',
];

/** Each may stand in a text for people; two or three of them near each other seldom do. */
const hints: [kind: PlantedKind, weight: 1 | 2, source: string][] = [
  [
    'prompts',
    1,
    '\\b(?:system[ -]?prompts?|prompt injections?|jailbreak(?:ed|ing)?|systemaufforderung|invite système)\\b',
  ],
  [
    'prompts',
    1,
    '\\b(?:new|updated|real|true|secret|hidden|neue|geheime|nouvelles|nuevas) (?:system )?(?:instructions?|prompt|directives?|anweisung(?:en)?|consignes|instrucciones) ?:',
  ],
  [
    'prompts',
    2,
    `\\b(?:do not|don't|never) (?:mention|reveal|tell|disclose|say)${words(4)} (?:these|this|the above) (?:instructions?|prompts?|commands?|orders?|rules?)\\b`,
  ],
  [
    'prompts',
    2,
    `\\berwähnen?${words(3)} diese\\w? (?:anweisung|regel|nachricht)\\w{0,2} nicht\\b|\\bne (?:mentionne|révèle|dis)z?${words(3)} (?:ces|cette) (?:instructions?|consignes?)|\\bno (?:menciones|reveles|digas)${words(3)} estas? instrucci`,
  ],
  [
    'addresses',
    1,
    '\\b(?:from now on|henceforth|from this point (?:on|forward)),? (?:you\\b|always|only|every|all)|\\bab (?:sofort|jetzt) (?:antworte|bist|wirst|sollst|musst)\\b|\\b(?:désormais|à partir de maintenant),? (?:tu|réponds|répondez)\\b|\\ba partir de ahora,? (?:responde|eres|debes|solo)\\b',
  ],
  [
    'addresses',
    1,
    '\\b(?:act|behave|respond|answer|speak) as (?:if|though) you\\b|\\b(?:roleplay|pretend) (?:as|that you)\\b|\\b(?:verhalte|benimm) dich (?:als|wie)\\b|\\bcomporte-toi comme\\b|\\bactúa como (?:si|un)\\b',
  ],
  [
    'addresses',
    1,
    '\\b(?:ai|virtual) assistants?\\b|\\blanguage models?\\b|\\bsprachmodelle?\\b|\\bmodèles? de langage\\b|\\bmodelos? de lenguaje\\b|\\bchatbots?\\b|\\bLLMs?\\b',
  ],
  [
    'dictates',
    2,
    `${start}(?:reply|respond|answer|output|say|write|print|return)(?: (?:only|exactly|solely|always|just|nothing but|verbatim|simply|to (?:every|any|all) [^ .!?\\n]{1,16})){1,3}(?: with)?(?: the)?(?: (?:exact|single|following|two|three))? (?:words?|phrases?|text|string|sentence|["“'«])`,
  ],
  [
    'dictates',
    2,
    `${start}(?:antworten?(?: sie)?|schreibe?|sage?)(?: (?:nur|ausschließlich|immer|stets|einzig))+(?: mit)?(?: (?:de[nm]|das))? (?:wort\\w{0,3}|sätz\\w{0,2}|satz|text|["“„'«])`,
  ],
  [
    'dictates',
    2,
    `${start}(?:réponds?|répondez|écris|écrivez|dis)(?: (?:uniquement|seulement|toujours|exclusivement))+(?: par| avec)?(?: les?| la)? (?:mots?|phrase|texte|["“'«])`,
  ],
  [
    'dictates',
    2,
    `${start}(?:responde|conteste|contesta|escribe|di)(?: (?:solo|sólo|solamente|únicamente|siempre|exclusivamente))+(?: con)?(?: las?| el)? (?:palabras?|frase|texto|["“'«])`,
  ],
  [
    'dictates',
    2,
    `${start}(?:begin|start|end|prefix|finish|preface|append|add|insert|include)${words(5)} (?:every|each|all)(?: (?:of your|single|future|further))? (?:answers?|repl(?:y|ies)|responses?|outputs?)\\b`,
  ],
  [
    'dictates',
    2,
    `${start}(?:beginne|beende|ergänze|füge|schreibe)${words(5)} (?:jeder?|alle[rn]?|deine[rn]?) antwort(?:en)?\\b|${start}(?:commence|termine|ajoute|insère)z?${words(5)} (?:chaque|toutes? (?:tes|les)) réponses?\\b|${start}(?:empieza|termina|añade|incluye)${words(5)} (?:cada|todas (?:tus|las)) respuestas?\\b`,
  ],
  [
    'dictates',
    1,
    `${start}(?:tell|inform|convince|urge|instruct) (?:the |any |every |all )?(?:users?|readers?|whoever asks|anyone who asks|anybody who asks|the person)\\b|${start}(?:sagen?|rate|teilen?)(?: sie)?${words(1)} (?:nutzer\\w{0,3}|benutzer\\w{0,3}|leser\\w{0,3}|fragende\\w?)\\b|${start}(?:dis|dites|demande|demandez)(?: à| aux)?${words(1)} (?:l'utilisateur|utilisateurs?|lecteurs?)\\b|${start}(?:di|diga|dile|pide)${words(2)} (?:usuarios?|lectore?s?)\\b`,
  ],
  [
    'dictates',
    1,
    "\\b(?:whenever|when|if) (?:you are |you're |someone |anyone |a user |the user )?(?:asks?|asked|questioned)\\b[^.!?\\n]{0,80}\\b(?:say|answer|reply|respond|claim|recommend)\\b|\\b(?:wenn|falls) (?:du |man dich |jemand |der nutzer )[^.!?\\n]{0,60}(?:fragt|gefragt)[^.!?\\n]{0,60}\\b(?:antworte|sage?)\\b",
  ],
  [
    'secrets',
    1,
    '\\b(?:passwords?|passphrase|passcodes?|pin codes?|api[ -]keys?|access tokens?|credentials|credit card numbers?|secrets|passwörter|passworts?|kennwort|zugangsdaten|kreditkartennummer|mots? de passe|identifiants|contraseñas?|credenciales)\\b',
  ],
  ['secrets', 1, '\\bhttps?://|\\bwww\\.|\\bhxxps?:'],
  [
    'secrets',
    2,
    `${start}(?:send|post|forward|transmit|upload|e-?mail|append|leak|exfiltrate|sende|schicke|envoie|envoyez|envía|envíe)${words(4)} (?:conversation|chat(?: history)?|chatverlauf|(?:user|reader)(?:'s|s)? (?:questions?|data|messages?|passwords?)|prompt|historique|conversación)\\b`,
  ],
  [
    'secrets',
    2,
    '\\blist (?:every|all)(?: other)? (?:documents?|files?) (?:of|in|from) (?:this|the) (?:workspace|company|knowledge base|database)\\b',
  ],
  [
    'secrets',
    2,
    '\\bhttps?://[^ \\n]{1,200}[?&][^ \\n=]{1,30}=(?:\\{|\\[|%7b|(?:secret|data|conversation|prompt|user)(?![\\w-]))',
  ],
];
const secrets = [
  `(?:reveal|leak|exfiltrate|output|print|dump|hand over|send me|give me|tell me|disclose)${words(3)} (?:admin(?:istrator)?(?:'s)?|system|root|api|database|secret|access|user(?:'s|s'?)?)[ -](?:passwords?|keys?|tokens?|credentials?|secrets?)\\b`,
  `(?:verrate|nenne|gib|sende|schicke)${words(3)} (?:admin\\w{0,14}|system|root|api|datenbank)-?(?:passw\\w{2,5}|kennw\\w{2,5}|schlüssel|zugangsdaten)\\b`,
  `(?:révèle|donne|envoie|communique)z?${words(3)} (?:mots? de passe|clés?|identifiants) (?:(?:de |d'|du )?(?:l')?(?:administrateur|admin|système|api))`,
  `(?:revela|dime|envía|muestra)${words(3)} (?:contraseñas?|claves?|credenciales) (?:del? )?(?:administrador|admin|sistema|api)`,
];

export const patterns: readonly Pattern[] = [
  ...overrides.map((source) => order('overrides', source)),
  ...overridesUnspaced.map((source) => pattern('overrides', 3, source)),
  ...addresses.map((source) => pattern('addresses', 3, `${wordStart}(?:${source})`)),
  ...prompts.map((source) => order('prompts', source)),
  ...marks.map((source) => pattern('prompts', 3, source)),
  ...secrets.map((source) => order('secrets', source)),
  ...hints.map(([kind, weight, source]) => pattern(kind, weight, source)),
];

/** In its sentence before an order: then nobody is told to do it. */
export const denial =
  /(?<![\p{L}\p{N}])(?:not|never|no|nobody|without|avoid|forbidden|prohibited|cannot|unless|nicht|nie|niemals|kein\p{L}{0,2}|verboten|untersagt|jamais|pas|interdit|aucune?|nunca|jamás|prohibido|no)(?![\p{L}\p{N}])|n['’]t\b/iu;

function order(kind: PlantedKind, source: string): Pattern {
  return { ...pattern(kind, 3, start + source), deniable: true };
}

function pattern(kind: PlantedKind, weight: Pattern['weight'], source: string): Pattern {
  const anywhere = blanksFree(source.replaceAll(start, '').replaceAll(wordStart, ''));
  return {
    kind,
    weight,
    deniable: false,
    expression: new RegExp(blanksFree(source), 'giu'),
    anywhere: new RegExp(anywhere, 'iu'),
  };
}

/** A blank in a class of characters is only that. */
function blanksFree(source: string): string {
  return source.replaceAll(/\[(?:\\.|[^\]\\])*\]| /gu, (part) => (part === ' ' ? '[ \\n]' : part));
}
