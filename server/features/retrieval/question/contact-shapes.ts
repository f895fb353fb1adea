import { isoDay } from './other-numbers.ts';
import { begin, end, type Shape } from './time-shapes.ts';

/**
 * Before what is asked for itself ("What is Anna's phone number?"), and not how long it may be or how it is changed.
 */
const asksFor = `^[^\\p{L}]*(?:what|which|wie (?:lautet|ist)|welche\\p{L}*|quel(?:le)?s?|cu[áa]l(?:es)?|qu[ée]|quale?|quali)${end}(?!.{0,80}?(?<!\\p{L})(?:length|format|long|happens|länge|longueur|longitud|lunghezza)(?!\\p{L})).{0,80}?${begin}`;

/** By what somebody can be reached. */
export type ContactKind = 'phone' | 'email';

export const contactShapes: Record<ContactKind, Shape> = {
  phone: {
    asked: new RegExp(
      `${asksFor}(?:(?:phone|telephone|fax|mobile|hotline|helpline) numbers?|(?:telefon|fax|handy|mobil)nummern?|numéros? de (?:téléphone|fax|portable)|números? de (?:teléfono|fax|móvil)|numer[oi] di (?:telefono|fax|cellulare))${end}`,
      'iu',
    ),
    // Seven figures and more, and no date.
    answer: new RegExp(`(?<![\\p{L}\\d.,-])(?!${isoDay}(?!\\d))\\+?\\(?\\d(?:[ ()./–-]{0,3}\\d){6,14}(?!\\d)`, 'u'),
  },
  email: {
    asked: new RegExp(
      `${asksFor}(?:e-?mail[ -]address(?:es)?|mail address|e-?mail-?adressen?|adresses? (?:e-?mail|électroniques?)|direcci(?:ón|ones) de (?:correo|e-?mail)|correo electrónico|indirizz[oi] (?:e-?mail|di posta elettronica))${end}`,
      'iu',
    ),
    answer: /[\p{L}\p{N}]@[\p{L}\p{N}][\p{L}\p{N}.-]{0,100}\.\p{L}{2}/u,
  },
};
