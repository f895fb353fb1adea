/** The fields that stand above a mail, as its reader of the file names them. */
type MailField = 'From' | 'To' | 'Cc' | 'Date' | 'Subject';

const mail = `(?:e-?mails?|mails?|messages?|letters?|nachricht(?:en)?|courriels?|messages?|correos?|mensajes?|messagg[io])`;
const sent = `(?:sent|sends?|sending|mailed|e-?mailed|wrote|writes?|written|forwarded|geschickt|gesendet|verschickt|geschrieben|envoyée?|écrite?|écrit|enviado|envió|mandó|escribió|escrito|inviat[oa]|mandat[oa]|scritt[oa]|ha scritto)`;

/** In this order: "who was the mail sent to" asks for the one who got it. */
const asked: [MailField, RegExp][] = [
  ['Cc', /(?<!\p{L})(?:cc|in copy|copied in|in kopie|en copie|en copia|in copia)(?!\p{L})/iu],
  [
    'To',
    new RegExp(
      String.raw`(?<!\p{L})(?:to whom|recipients?|addressees?|who (?:received|got|gets|receives)|an wen|wem|empfänger\p{L}*|wer (?:hat )?.{0,60}(?:erhalten|bekommen|erhielt)|à qui|destinataires?|a quién|destinatari[oa]s?|a chi)(?!\p{L})|(?<!\p{L})whom? (?:was|were|is|has|did|do|does) .{0,80}${sent} to(?!\p{L})`,
      'iu',
    ),
  ],
  [
    'From',
    new RegExp(
      String.raw`(?<!\p{L})(?:who|whose|wer|qui|quién|chi)(?!\p{L}).{0,80}(?<!\p{L})${sent}(?!\p{L})|(?<!\p{L})(?:senders?|absender\p{L}*|expéditeurs?|remitentes?|mittente)(?!\p{L})|(?<!\p{L})(?:from whom|von wem|de qui|de quién|da chi|author of the|who is).{0,60}${mail}(?!\p{L}).{0,20}(?:from)?`,
      'iu',
    ),
  ],
  [
    'Date',
    new RegExp(
      String.raw`(?<!\p{L})(?:when|what (?:date|day|time)|(?:on )?which (?:date|day)|date of|sent date|wann|an welchem tag|datum|quand|date d[eu]|cuándo|fecha|quando|data)(?!\p{L}).{0,100}(?<!\p{L})(?:${sent}|${mail}|received|erhalten|reçue?|recibi\p{L}*|ricevut[oa])(?!\p{L})`,
      'iu',
    ),
  ],
  ['Subject', /(?<!\p{L})(?:subject(?: line)?|betreff\p{L}*|objet|asunto|oggetto)(?!\p{L})/iu],
];

/** Which field of a mail a question asks for: its sender, those who got it, its day or its subject. Null where none. */
export function mailField(question: string): string | null {
  return asked.find(([, pattern]) => pattern.test(question))?.[0] ?? null;
}
