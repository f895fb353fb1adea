import {
  ara,
  ces,
  dan,
  ell,
  fas,
  fin,
  heb,
  hin,
  hun,
  ind,
  nld,
  nob,
  pol,
  por,
  ron,
  rus,
  swe,
  tur,
  ukr,
  vie,
} from 'stopword';

/** Words that carry no meaning of their own in a question: one list a language, the likelier one first. */
export const stopWords = {
  en: `a an and are as at be been but by can could did do does doesn didn for from had has have he her him his how i if in
  into is isn it its may me might must my no not of on or our shall she should so some such than that the their them then there
  these they this those to under up us was wasn we were what when where which while who whom whose why will with would
  you your about after also any before each get give tell many much please name
  hasn haven hadn aren weren couldn shouldn wouldn whats whos wheres whens hows thats theres dont doesnt didnt isnt
  arent wasnt werent hasnt havent hadnt cant couldnt shouldnt wouldnt im ive youre`,
  de: `aber als am an auch auf aus bei beim bis darf das dass dem den der des die dies diese dieser dieses durch dürfen ein eine einem
  einen einer eines er es für gab gibt habe haben hat hatte ich ihr im in ist kann können man mein mit muss müssen nach nicht noch
  nur ob oder ohne sein seit sich sie sind so soll sollen über um und unser unter viel viele vielen vom von vor wann war waren warum was welche
  welchem welchen welcher welches wem wen wenn wer weshalb wessen wie wieso wieviel wieviele wir wird wo wobei wodurch
  wofür wogegen woher wohin womit woran worauf woraus worin worum wovon wozu wurde wurden zu zum zur`,
  fr: `au aux avec ce ces cette combien comment dans de des doit doivent donc du elle en est et être faut il ils je la le les leur mais ne
  nous on ou où par pas peut peuvent pour pourquoi quand que quel quelle quels quelles qui quoi sa se ses son sont sur un une vous`,
  es: `al como con cual cuál cuáles cuando cuándo cuánto cuánta cuántos cuántas de debe deben del donde dónde el ella en es está
  están ha la las lo los más me no nos o para pero por puede pueden que qué quien quién quiénes se ser si sin son su sus un una unos y`,
  it: `a al alla anche che chi come con cosa da dal dei del della deve devono di dove e è gli ha il in io la le lo ma nel nella non per
  perché più possono può quale quali quando quanto quanta quanti quante se si sono su sul un una uno`,
};

/**
 * The same for languages whose lists come with a library, with the words that ask: no document has those, so they would
 * weigh most of all.
 */
export const listedStopWords = {
  ru: [
    ...rus,
    'какой какая какое какие какого какую каком каким каких кто кого кому кем что чего чему чем где куда откуда когда сколько скольких почему зачем как чей чья чьё чьи ли был была было были является являются должен должна должны нужно каков какова каковы',
  ],
  uk: [...ukr, 'який яка яке які якого яку хто що де коли скільки чому як чий'],
  tr: [
    ...tur,
    'ne neden niçin nasıl kim kimin kime kimi kimler hangi hangisi hangileri nerede nereye nereden kaç kaçta kaçıncı kadar zaman mi mı mu mü midir mıdır nedir kimdir nelerdir olarak oldu olan',
  ],
  ar: [...ara, 'ما ماذا من متى أين كيف لماذا كم أي هل هو هي التي الذي كان كانت'],
  hi: [
    ...hin,
    'क्या कौन कब कहाँ कहां क्यों कैसे कैसा कैसी कितना कितने कितनी किस किसने किसे किसका किसके किसकी कौनसा कौनसी था थी थे है हैं',
  ],
  vi: [...vie, 'gì ai đâu nào bao nhiêu lâu ở cho tại sao thế mấy khi là của và những các được'],
  pt: [...por, 'qual quais quanto quanta quantos quantas quando onde quem'],
  nl: [...nld, 'welke welk hoeveel wanneer waar waarheen waarom wie vaak mag krijg krijgt krijgen'],
  pl: [
    ...pol,
    'który która które której którego którym jaki jaka jakie jakim jakiej ile kiedy gdzie skąd dokąd dlaczego kto kogo komu kim co czego czemu czym czy',
  ],
  sv: [...swe, 'vilken vilket vilka hur när var varför vem'],
  da: [...dan, 'hvilken hvilket hvilke hvordan hvornår hvor hvorfor hvem'],
  nb: [...nob, 'hvilken hvilket hvilke hvordan når hvor hvorfor hvem'],
  fi: [
    ...fin,
    'mikä mitkä mitä minkä mihin mistä millä millainen kuka ketkä kenen kenelle keneltä ketä milloin missä minne miksi miten kuinka kauan kauanko paljon paljonko monta montako onko voiko voinko saako saanko pitääkö tarvitaanko aikaan',
  ],
  cs: [...ces, 'který která které jaký jaká jaké kolik kdy kde proč kdo'],
  ro: [...ron, 'care cine când unde cât câți câte cum'],
  hu: [...hun, 'melyik mennyi hány mikor hol miért ki mi'],
  el: [...ell, 'ποιος ποια ποιο πόσο πόσα πότε πού γιατί πώς'],
  id: [...ind, 'apa siapa kapan dimana mana berapa mengapa bagaimana'],
  he: heb,
  fa: fas,
} satisfies Record<string, string[]>;

/**
 * Words that say what is asked for rather than where it stands: passages that answer seldom have them ("the percentage
 * change between", "how is it called"). They count for less than their rarity says.
 */
export const weakWords = `
  between change percentage percent average amount type kind sort form difference respective respectively call called
  named known term refer referred example reason cause compare compared part represent ratio proportion value happen
  happened make made take took long far large larger higher lower less greater exceed exceeded start started begin began
  become became come came go went look use used number year date day time people person someone thing way purpose
  describe described mean show along both another all each other else out over first originally information calculate
  somebody anybody everybody nobody anyone everyone something anything nothing everything
  calculated consist constitute comprise factor aspect occur occurred
  want wanted put get got give gave given bring brought tell told say said turned pulled sit sitting still already actually
  exact exactly roughly currently folks guys stuff lot lots
  viel viele art lautet hieß heißt name namen genannt bezeichnet bezeichnung lang lange hoch groß alt teil liegt neben
  gab gilt beide beiden grund beispiel unterschied zwischen durchschnitt prozent anteil jahr menge wert zahl anzahl
  passiert geschah geschieht personen menschen ort sollte sollten`;

/** What asks in Chinese, Japanese and Thai. */
export const asking =
  /为什么|為什麼|什么时候|什麼時候|什么|什麼|多少|哪些|哪个|哪個|哪里|哪裡|哪一|哪|怎么|怎麼|怎样|如何|是否|请问|多久|多长|几个|谁|誰|吗|嗎|呢|的|了|是|在|なぜ|どこ|いつ|どの|どれ|どう|何|ですか|ますか|でしょうか|อะไร|ที่ไหน|เท่าไร|เท่าไหร่|เมื่อไร|เมื่อไหร่|อย่างไร|ใคร|ทำไม|กี่|หรือไม่|ไหม/g;
