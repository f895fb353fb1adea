import { begin, end, type Shape } from './time-shapes.ts';

/** By what somebody can be reached. */
export type ContactKind = 'phone' | 'email';

export const contactShapes: Record<ContactKind, Shape> = {
  phone: {
    asked: new RegExp(
      `${begin}(?:(?:phone|telephone|fax|mobile|hotline|helpline) numbers?|(?:telefon|fax|handy|mobil)nummern?|numéros? de (?:téléphone|fax|portable)|números? de (?:teléfono|fax|móvil)|numer[oi] di (?:telefono|fax|cellulare))${end}`,
      'iu',
    ),
    // Seven figures and more, and no date.
    answer: /(?<![\p{L}\d.,-])(?!\d{4}-\d\d-\d\d(?!\d))\+?\(?\d(?:[ ()./–-]{0,3}\d){6,14}(?!\d)/u,
  },
  email: {
    asked: new RegExp(
      `${begin}(?:e-?mail[ -]address(?:es)?|mail address|e-?mail-?adressen?|adresses? (?:e-?mail|électroniques?)|direcci(?:ón|ones) de (?:correo|e-?mail)|correo electrónico|indirizz[oi] (?:e-?mail|di posta elettronica))${end}`,
      'iu',
    ),
    answer: /[\p{L}\p{N}]@[\p{L}\p{N}][\p{L}\p{N}.-]{0,100}\.\p{L}{2}/u,
  },
};
