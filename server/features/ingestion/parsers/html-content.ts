import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Words in the class or id of what leads around a site, is not printed, or asks for consent. */
const around =
  /(^|[-_\s])(nav|navbar|navigation|navbox|menu|dropdown|breadcrumbs?|sidebar|site-?footer|printfooter|catlinks|cookie|skip|jump|noprint|no-print|editsection|share|social|pagination)($|[-_\s])/i;
/** Share of a page's words that its main part has, for the rest to be what stands around it. */
const mostOfPage = 0.6;
/** A list of at least so many links, each a few words, leads somewhere else. */
const menuItems = 6;
const menuLetters = 30;

/** The part of a page that is its content, and what in it leads elsewhere. */
export function contentOf(nodes: Node[]): { nodes: Node[]; isAround: (element: Element) => boolean } {
  const all = wordsOf(nodes);
  const main = findMain(nodes).filter((element) => wordsOf([element]) >= all * mostOfPage);
  const [content] = main;
  return {
    nodes: content ? [content] : nodes,
    isAround: (element) => isNamedSo(element) || (!content && (isPageMargin(element) || isMenu(element))),
  };
}

function isNamedSo({ attrs, tagName }: Element): boolean {
  if (tagName === 'body' || tagName === 'html' || tagName === 'main') return false;
  return attrs.some(({ name, value }) => (name === 'class' || name === 'id') && around.test(value));
}

/** Head and foot of a page without a main part; those of an article are its own. */
function isPageMargin({ tagName, attrs, parentNode }: Element): boolean {
  const isOfPage = parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'body';
  const role = attrs.find(({ name }) => name === 'role')?.value ?? '';
  return (isOfPage && tagName === 'footer') || /^(banner|contentinfo|complementary)$/.test(role);
}

function isMenu(element: Element): boolean {
  if (element.tagName !== 'ul' && element.tagName !== 'ol') return false;
  const items = element.childNodes.filter((child) => 'tagName' in child && child.tagName === 'li');
  if (items.length < menuItems) return false;
  return items.every((item) => {
    const words = wordsOf([item]);
    const all = textLength([item]);
    return words === 0 && all > 0 && all < menuLetters;
  });
}

function findMain(nodes: Node[]): Element[] {
  const found: Element[] = [];
  for (const element of elementsIn(nodes)) {
    const isMain =
      element.tagName === 'main' || element.attrs.some(({ name, value }) => name === 'role' && value === 'main');
    if (isMain) found.push(element);
  }
  const articles = [...elementsIn(nodes)].filter(({ tagName }) => tagName === 'article');
  return found.length > 0 ? found : articles.length === 1 ? articles : [];
}

/** Letters outside of links. */
function wordsOf(nodes: Node[]): number {
  return textLength(nodes, (element) => element.tagName === 'a' && element.attrs.some(({ name }) => name === 'href'));
}

function textLength(nodes: Node[], isLeftOut: (element: Element) => boolean = () => false): number {
  let length = 0;
  const rest = [...nodes];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.nodeName === '#text' && 'value' in node) length += node.value.trim().length;
    else if ('childNodes' in node && !/^(script|style|noscript|template)$/.test(node.nodeName)) {
      if (!('tagName' in node) || !isLeftOut(node)) for (const child of node.childNodes) rest.push(child);
    }
  }
  return length;
}

function* elementsIn(nodes: Node[]): Generator<Element> {
  const rest = nodes.toReversed();
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (!('tagName' in node)) continue;
    yield node;
    for (const child of node.childNodes.toReversed()) rest.push(child);
  }
}
