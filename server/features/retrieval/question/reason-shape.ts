import type { Shape } from './time-shapes.ts';

/** How questions ask for a reason, and what sentences that give one have. */
export const reason: Shape = {
  asked:
    /\b(why|how come|what (?:caused|causes|drove|explains|explained|prompted|triggered|led to|(?:is|was|were|are) the (?:\p{L}+ ){0,2}reasons?|(?:is|was|were|are) (?:the )?(?:\p{L}+ ){0,2}(?:reasons? (?:for|behind)|drivers? (?:of|behind)))|what (?:brought|pushed|sent|dragged|lifted|held) (?=.{1,120}? (?:down|up|back|higher|lower)(?!\p{L}))|what made (?!up )(?=.{1,120}? (?:fall|rise|drop|grow|shrink|decline|decrease|increase|improve|worsen|change|go (?:up|down)|come (?:up|down)|(?:higher|lower|better|worse)))|for what (reason|purpose)|warum|weshalb|wieso|wozu|pourquoi|por qué|perché)\b|为什么|為什麼|为何|なぜ|لماذا|لم /iu,
  answer:
    /(?<!\p{L})(?:because|due to|since|as a result|therefore|in order to|so that|owing to|caused by|led to|reasons?|weil|da|denn|wegen|aufgrund|damit|um|deshalb|daher|grund|gründen|parce|porque|perché)(?!\p{L})|因为|因此|由于|由於|为了|所以|导致|以便|ため|بسبب|لأن|نظر[ا]ً?|من أجل|لذلك|نتيجة/giu,
};
