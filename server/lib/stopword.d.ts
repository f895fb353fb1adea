/** The library has no types: lists of words by the three letters of their language (ISO 639-3). */
declare module 'stopword' {
  type Words = string[];
  export const ara: Words,
    ces: Words,
    dan: Words,
    ell: Words,
    fas: Words,
    fin: Words,
    heb: Words,
    hin: Words,
    hun: Words;
  export const ind: Words,
    nld: Words,
    nob: Words,
    pol: Words,
    por: Words,
    ron: Words,
    rus: Words,
    swe: Words,
    tur: Words;
  export const ukr: Words, vie: Words;
}
