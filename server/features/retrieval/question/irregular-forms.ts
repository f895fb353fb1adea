import type { QuestionTerms } from '#server/lib/analyze.ts';
import { lazily } from '#server/lib/lazily.ts';
import { beside, type Words, wordsFor } from './listed-words.ts';

/** Forms of one word that no stemmer brings together, each line by itself. */
const forms = {
  en: `
    become became
    begin began begun
    bend bent
    bind bound
    bite bit bitten
    bleed bled
    blow blew blown
    break broke broken
    bring brought
    build built
    burn burnt
    buy bought
    catch caught
    choose chose chosen
    come came
    creep crept
    deal dealt
    die died death dead
    dig dug
    draw drew drawn
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed
    feel felt
    fight fought
    flee fled
    fly flew flown flight
    forbid forbade forbidden
    forget forgot forgotten
    forgive forgave forgiven
    freeze froze frozen
    get got gotten
    give gave given
    go went gone
    grow grew grown
    hang hung
    hear heard
    hide hid hidden
    hold held
    keep kept
    know knew known
    lead led
    learn learnt
    lend lent
    lose lost
    make made
    meet met
    pay paid
    ride rode ridden
    ring rang rung
    rise rose risen
    run ran
    sell sold
    send sent
    shake shook shaken
    shoot shot
    shrink shrank shrunk
    sing sang sung
    sink sank sunk
    sit sat
    sleep slept
    slide slid
    speak spoke spoken
    spend spent
    steal stole stolen
    stick stuck
    strike struck
    swear swore sworn
    sweep swept
    swim swam swum
    take took taken
    teach taught
    tear tore torn
    tell told
    think thought
    throw threw thrown
    undertake undertook undertaken
    wear wore worn
    weigh weight
    win won
    withdraw withdrew withdrawn
    write wrote written
    foot feet
    man men
    mouse mice
    tooth teeth
    woman women
    child children
    half halves
    shelf shelves
    knife knives
    index indices
    criterion criteria
    high height
    long length
    wide width
    deep depth
    strong strength
  `,
  de: `
    beginnt begann begonnen
    bekommt bekam
    beträgt betragen betrug
    betrifft betreffen betraf betroffen
    bietet bot geboten angeboten
    bleibt blieb geblieben
    bringt brachte gebracht
    darf dürfen durfte
    empfängt empfangen empfing
    entfällt entfallen entfiel
    enthält enthalten enthielt
    entscheidet entschied entschieden
    erhält erhalten erhielt
    fährt fahren fuhr gefahren
    fällt fallen fiel gefallen
    findet fand gefunden
    fliegt flog geflogen flug
    gibt geben gab gegeben
    gilt gelten galt gegolten
    hält halten hielt gehalten
    hilft helfen half geholfen
    isst essen aß gegessen
    lädt laden lud geladen
    läuft laufen lief gelaufen
    leiht lieh geliehen
    liegt lag gelegen
    liest lesen las gelesen
    misst messen maß gemessen
    nimmt nehmen nahm genommen
    schließt schloss geschlossen
    schreibt schrieb geschrieben
    sieht sehen sah gesehen
    sinkt sank gesunken
    spricht sprechen sprach gesprochen
    steht stand gestanden
    steigt stieg gestiegen
    stirbt sterben starb gestorben
    trägt tragen trug getragen
    trifft treffen traf getroffen
    tritt treten trat getreten
    übernimmt übernehmen übernahm übernommen
    verfällt verfallen verfiel
    verliert verlor verloren verlust
    vergisst vergessen vergaß
    wächst wachsen wuchs gewachsen
    wählt gewählt wahl
    weiß wissen wusste gewusst
    wird werden wurde geworden
    wiegt wog gewogen gewicht
    zieht zog gezogen
  `,
} as const;

const others = lazily(() => ({ en: beside(forms.en), de: beside(forms.de) }));

/**
 * Other forms of a question's words that documents have, and no stemmer brings together: `led` for leads, `lost` for
 * lose.
 * @param language of the question; where it is not known, English is tried
 * @returns the terms that documents have, each with the question's own
 */
export function irregularForms(
  terms: readonly string[],
  language: QuestionTerms['language'],
  documents: Words,
): Map<string, string> {
  const listed = language === 'de' ? others().de : language === null || language === 'en' ? others().en : null;
  const found = listed ? wordsFor(terms, documents, listed) : new Map<string, string>();
  for (const own of terms) found.delete(own);
  return found;
}
