import { readFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import type { Block } from '../document.ts';
import { ParseFailure } from '../reasons.ts';
import type { Parser } from './parser.ts';
import { RtfStory } from './rtf-story.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';
import { joinSentences } from './sentences.ts';

/** Groups whose text is none of the document's. */
const hidden = new Set(
  'pict objdata colortbl info xe tc tcn rxe sp listtable listoverridetable revtbl rsidtbl generator themedata datastore latentstyles filetbl nonesttables pgptbl xmlnstbl mmathPr panose falt fchars lchars atnid atnauthor atrfstart atrfend private template keywords'.split(
    ' ',
  ),
);
/** Optional groups (`\*`) that are read all the same. */
const wanted = new Set('shpinst shptxt footnote annotation nesttableprops'.split(' '));
const characters: Record<string, string> = {
  tab: ' ',
  line: ' ',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
};
/** Code pages of `\fcharset`. */
const charsets: Record<number, string> = {
  77: 'macroman',
  128: 'shift_jis',
  129: 'cp949',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const maxDepth = 5000;

type Destination = 'text' | 'skip' | 'fonts' | 'styles' | 'margin';

interface Group {
  destination: Destination;
  /** Code page of the font. */
  encoding: string;
  /** Fallback characters after a Unicode one. */
  fallback: number;
  isHidden: boolean;
  story: RtfStory;
}

/** Rich Text Format: paragraphs, headings by style, lists, tables, footnotes, comments, text boxes. */
export const parseRtf: Parser = async ({ path }, sink) => {
  const rtf = (await readFile(path)).toString('latin1');
  if (!rtf.trimStart().startsWith('{\\rtf')) throw ParseFailure.of('damaged');
  for (const block of joinSentences([...new RtfReader().read(rtf)])) sink.block(block);
};

class RtfReader {
  readonly #body = new RtfStory();
  readonly #margin = new RtfStory();
  readonly #stack: Group[] = [];
  #group: Group = { destination: 'text', encoding: 'windows-1252', fallback: 1, isHidden: false, story: this.#body };
  #encoding = 'windows-1252';
  readonly #fonts = new Map<number, string>();
  readonly #headings = new Map<number, number>();
  /** The entry of the font or style table that is being read. */
  #entry = 0;
  #entryName = '';
  #isOptional = false;
  #toSkip = 0;
  #bytes = '';

  read(rtf: string): Block[] {
    for (const token of rtfTokens(rtf)) {
      if (token.type !== 'bytes') this.#write();
      if (this.#skips(token)) continue;
      if (token.type === 'open') this.#open();
      else if (token.type === 'close') this.#close();
      else if (token.type === 'bytes') this.#bytes += token.bytes;
      else this.#word(token.name, token.value);
    }
    this.#write();
    const margins = this.#margin.end().filter(({ text }) => /\p{L}{2}/u.test(text));
    return [...this.#body.end(), ...margins];
  }

  /** Characters after a Unicode one are for programs that do not know it. */
  #skips(token: RtfToken): boolean {
    if (this.#toSkip === 0) return false;
    if (token.type === 'open' || token.type === 'close') {
      this.#toSkip = 0;
      return false;
    }
    if (token.type === 'word') {
      this.#toSkip--;
      return true;
    }
    const dropped = Math.min(this.#toSkip, token.bytes.length);
    this.#toSkip -= dropped;
    this.#bytes += token.bytes.slice(dropped);
    return true;
  }

  #open(): void {
    if (this.#stack.length >= maxDepth) throw ParseFailure.of('too-deep');
    this.#stack.push({ ...this.#group });
    this.#isOptional = false;
  }

  #close(): void {
    const { story, destination } = this.#group;
    const outer = this.#stack.pop();
    if (!outer) return;
    if (destination === 'styles' && outer.destination === 'styles') this.#endStyle();
    // A note is read where it is referred to, and follows that paragraph.
    if (story !== outer.story && story !== this.#margin) outer.story.after(story.end());
    else if (story === this.#margin && outer.story !== story) story.paragraph();
    this.#group = outer;
  }

  #word(name: string, value: number | null): void {
    const group = this.#group;
    if (name === '*') {
      this.#isOptional = true;
      return;
    }
    if (this.#isOptional) {
      this.#isOptional = false;
      if (!wanted.has(name)) group.destination = 'skip';
    }
    if (hidden.has(name)) group.destination = 'skip';
    else if (name === 'fonttbl') group.destination = 'fonts';
    else if (name === 'stylesheet') group.destination = 'styles';
    else if (/^(header|footer)[lrf]?$/.test(name)) Object.assign(group, { destination: 'margin', story: this.#margin });
    else if (name === 'footnote') group.story = new RtfStory();
    else if (name === 'annotation') group.story = new RtfStory('Comment: ');
    else if (name === 'shptxt') group.story = new RtfStory();
    else if (name === 'ansicpg' && value !== null) this.#encoding = group.encoding = encodingOfPage(value);
    else if (name === 'mac') this.#encoding = group.encoding = 'macroman';
    else if (name === 'uc') group.fallback = Math.min(Math.max(value ?? 1, 0), 100);
    else if (name === 'u' && value !== null) this.#unicode(value);
    else if (name === 'v') group.isHidden = value !== 0;
    else if (name === 'plain') Object.assign(group, { encoding: this.#encoding, isHidden: false });
    else if (group.destination === 'fonts') this.#fontWord(name, value);
    else if (group.destination === 'styles') this.#styleWord(name, value);
    else if (name === 'f' && value !== null) group.encoding = this.#fonts.get(value) ?? this.#encoding;
    else if (group.destination !== 'skip') this.#storyWord(name, value);
  }

  #fontWord(name: string, value: number | null): void {
    if (name === 'f') this.#entry = value ?? 0;
    else if (name === 'fcharset') this.#fonts.set(this.#entry, charsets[value ?? 0] ?? this.#encoding);
    else if (name === 'cpg' && value !== null) this.#fonts.set(this.#entry, encodingOfPage(value));
  }

  #styleWord(name: string, value: number | null): void {
    if (name === 's') this.#entry = value ?? 0;
    else if (name === 'outlinelevel' && value !== null) this.#headings.set(this.#entry, value + 1);
  }

  #endStyle(): void {
    const digit =
      /^\s*heading (\d)/i.exec(this.#entryName)?.[1] ?? (/^\s*title;/i.test(this.#entryName) ? '1' : undefined);
    if (digit !== undefined && !this.#headings.has(this.#entry)) this.#headings.set(this.#entry, Number(digit));
    this.#entry = 0;
    this.#entryName = '';
  }

  #storyWord(name: string, value: number | null): void {
    const { story } = this.#group;
    if (name in characters) this.#add(characters[name] ?? '');
    else if (name === 'par' || name === 'sect' || name === 'page') story.paragraph();
    else if (name === 'pard') story.resetParagraph();
    else if (name === 's') story.level = this.#headings.get(value ?? 0);
    else if (name === 'outlinelevel' && value !== null) story.level = value + 1;
    else if (name === 'ls' || name === 'pnlvlblt') story.isItem = true;
    else if (name === 'intbl') story.inTable = true;
    else if (name === 'cell' || name === 'nestcell') story.cell();
    else if (name === 'row' || name === 'nestrow') story.row();
    else if (name === 'listtext' || name === 'pntext') story.isItem = true;
  }

  #unicode(value: number): void {
    this.#add(String.fromCharCode(value < 0 ? value + 0x10000 : value));
    this.#toSkip = this.#group.fallback;
  }

  /** A run of bytes is decoded as a whole: a character may be two of them. */
  #write(): void {
    if (this.#bytes === '') return;
    const bytes = this.#bytes;
    this.#bytes = '';
    if (this.#group.destination === 'styles') this.#entryName += bytes;
    if (this.#group.destination === 'text' || this.#group.destination === 'margin') {
      this.#add(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
        /^[\x00-\x7f]*$/.test(bytes) ? bytes : iconv.decode(Buffer.from(bytes, 'latin1'), this.#group.encoding),
      );
    }
  }

  #add(text: string): void {
    const { destination, isHidden, story } = this.#group;
    if (!isHidden && (destination === 'text' || destination === 'margin')) story.text(text);
  }
}

function encodingOfPage(page: number): string {
  const name = page === 932 ? 'shift_jis' : page === 936 ? 'gb18030' : page === 65001 ? 'utf-8' : `cp${page}`;
  return iconv.encodingExists(name) ? name : 'windows-1252';
}
