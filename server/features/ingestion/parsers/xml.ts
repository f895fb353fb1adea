import { SaxesParser } from 'saxes';
import { decodeText } from '../encoding.ts';
import { ParseFailure } from '../reasons.ts';

/** An element of an XML part. Names are without their prefix: the strict variant of a format has other namespaces. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlNode[];
}
export type XmlNode = XmlElement | string;

/** Readers of a tree call themselves for each level: a file of 20,000 nested tables must not end the stack. */
const maxDepth = 800;

/**
 * The root element of an XML part. Entities of its own making are not expanded, and nothing outside is read.
 * @throws ParseFailure `damaged` when it is no XML, `too-deep`
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decodeText(bytes, { declared: declaredEncoding(bytes) });
  if (text === null) throw ParseFailure.of('damaged');
  const top: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [top];
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const write = (piece: string) => open.at(-1)?.children.push(piece);
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > maxDepth) throw ParseFailure.of('too-deep');
    const element: XmlElement = { name: localName(name), attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', write);
  parser.on('cdata', write);
  parser.on('error', () => {
    throw ParseFailure.of('damaged');
  });
  parser.write(text).close();
  const root = elementsOf(top)[0];
  if (!root) throw ParseFailure.of('damaged');
  return root;
}

/** By its full name, else by its name behind another prefix: each program chooses its own. */
export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  if (!element) return undefined;
  const exact = element.attributes[name];
  if (exact !== undefined) return exact;
  const found = Object.keys(element.attributes).find((key) => key.endsWith(`:${localName(name)}`));
  return found === undefined ? undefined : element.attributes[found];
}

export function elementsOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element?.children ?? [])
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  return found;
}

/** The first child of that name, of its first child of the next name, and so on. */
export function descend(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>((above, name) => elementsOf(above, name)[0], element);
}

/** All elements of a name below another one, in document order; not those inside a found one. */
export function findAll(element: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

/** All text below an element, as it stands. */
export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{2,40})/.exec(start)?.[1];
}
