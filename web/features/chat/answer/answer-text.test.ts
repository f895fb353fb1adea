import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { parseMarkers } from '#contract/citations.ts';
import fc from '#server/testing/fast-check.ts';
import { type AnswerText, readAnswer, settledIn } from './answer-text.ts';

/** The tree as short text: `paragraph(up to strong(CHF 240)<1>)`. */
function outline({ tree, inlines, plain }: AnswerText): string {
  const show = (node: Nodes): string => {
    if (node.type === 'text')
      return inlines(node)
        .map((each) => {
          if (each.kind === 'marker') return `<${each.numbers}>`;
          if (each.kind === 'claim-end') return each.standing === 'unchecked' ? '!' : '?';
          return each.standing === 'plain' ? each.text : `~${each.text}~`;
        })
        .join('');
    if ('value' in node) return `${node.type}(${plain(node.value)})`;
    const inner = 'children' in node ? node.children.map(show).join('') : '';
    return node.type === 'root' ? inner : `${node.type}(${inner})`;
  };
  return show(tree);
}

test('what is not checked is told apart, with its markers, and nothing says that it lacks a source', () => {
  const text = 'Three months [1].';
  const read = readAnswer(`${text} It **ends** in May [2`, { growing: true, checkedTo: text.length });
  expect(outline(read)).toBe('paragraph(Three months<1>.~ It ~strong(~ends~)~ in May~)');
  const paragraph = readAnswer(`${text} It ends [2].`, { checkedTo: text.length });
  const markers = paragraph.tree.children.flatMap((node) =>
    'children' in node ? node.children.flatMap((each) => (each.type === 'text' ? paragraph.inlines(each) : [])) : [],
  );
  expect(markers.flatMap((each) => (each.kind === 'marker' ? [each.isChecking] : []))).toEqual([false, true]);
});

test('three things may be known of a claim without a number', () => {
  const read = readAnswer('One. Two. Three.', {
    unsupported: [
      { start: 0, end: 4, reason: 'contradicted' },
      { start: 5, end: 9, reason: 'not-found' },
    ],
    unchecked: [{ start: 10, end: 16 }],
  });
  expect(outline(read)).toBe('paragraph(~One.~? ~Two.~? ~Three.~!)');
});

test.each([
  ['It is so [1]. And then', 'It is so [1].'],
  ['It is so [1] and then', 'It is so [1]'],
  ['It is so.[1]', 'It is so.[1]'],
  ['- one [1]\n- tw', '- one [1]\n'],
  ['It is', ''],
])('of %j, %j is settled', (text, settled) => {
  expect(text.slice(0, settledIn(text, []))).toBe(settled);
});

test('a claim that is marked is settled, too', () => {
  const text = 'One [1]. Two, and';
  expect(text.slice(0, settledIn(text, [{ start: 9, end: 12 }]))).toBe('One [1]. Two');
});

test.each([
  [
    'Up to **CHF 240** a night.[1] More needs approval [2, 3].',
    'paragraph(Up to strong(CHF 240) a night.<1> More needs approval<2,3>.)',
  ],
  [
    '> word for word [1]\n\n> and more [2]',
    'blockquote(paragraph(word for word<1>))blockquote(paragraph(and more<2>))',
  ],
  ['- one[1]\n- two[2]', 'list(listItem(paragraph(one<1>))listItem(paragraph(two<2>)))'],
  ['[1]: https://evil.example', 'paragraph(<1>: https://evil.example)'],
  ['see [1](https://evil.example)', 'paragraph(see<1>(https://evil.example))'],
  [
    '[text](https://evil.example) ![x](https://evil.example/p.png)',
    'paragraph([text](https://evil.example) ![x](https://evil.example/p.png))',
  ],
  ['<b onclick=x>bold</b> <https://evil.example>', 'paragraph(<b onclick=x>bold</b> <https://evil.example>)'],
  ['no marker: \\[1\\], &#91;2&#93;, `a[3]`', 'paragraph(no marker: [1], [2], inlineCode(a[3]))'],
  ['a \uE0000\uE001 b[1]', 'paragraph(a \uFFFD0\uFFFD b<1>)'],
  ['', ''],
])('reads %j', (answer, expected) => {
  expect(outline(readAnswer(answer))).toBe(expected);
});

const table = '| What | How much |\n|---|---|\n| Hotel | 145 euros [1] |\n| Parking | free |';
const row = (...cells: string[]) => `tableRow(${cells.map((cell) => `tableCell(${cell})`).join('')})`;
const head = row('What', 'How much');

test.each([
  ['nothing', '', row('Hotel', '145 euros<1>') + row('Parking', 'free')],
  ['a cell', 'free', row('Hotel', '145 euros<1>') + row('Parking', '~free~?')],
  ['a row with its bars', '| Parking | free |', row('Hotel', '145 euros<1>') + row('~Parking~', '~free~?')],
  ['the dashes and a row', '|---|---|\n| Hotel |', row('~Hotel~?', '145 euros<1>') + row('Parking', 'free')],
])('a table keeps its cells where what is marked is %s', (_, claim, rows) => {
  const start = table.lastIndexOf(claim);
  expect(outline(readAnswer(table, { unsupported: [{ start, end: start + claim.length }] }))).toBe(
    `table(${head}${rows})`,
  );
});

test('what a row has beyond the columns of the head stands in its last cell', () => {
  expect(outline(readAnswer('| What | How much |\n|---|---|\n| Hotel | 145 euros [1] | a night |'))).toBe(
    `table(${head}${row('Hotel', '145 euros<1> | a night')})`,
  );
});

test('a table that grows is one from the moment its head is whole, wherever the check has come to', () => {
  for (let length = 0; length <= table.length; length++) {
    for (let checkedTo = 0; checkedTo <= length; checkedTo++) {
      const shown = outline(readAnswer(table.slice(0, length), { growing: true, checkedTo }));
      expect(shown === '' || shown.replaceAll('~', '').startsWith(`table(${head}`), `${length} ${checkedTo}`).toBe(
        true,
      );
      expect(shown.match(/tableCell/g)?.length ?? 0).toBeLessThanOrEqual(6);
    }
  }
});

test('holds back half a marker while the answer grows', () => {
  expect(outline(readAnswer('a night.[', { growing: true }))).toBe('paragraph(a night.)');
  expect(outline(readAnswer('a night.[1, ', { growing: true }))).toBe('paragraph(a night.)');
  expect(outline(readAnswer('a night.[1]', { growing: true }))).toBe('paragraph(a night.<1>)');
  expect(outline(readAnswer('a night.['))).toBe('paragraph(a night.[)');
});

test.each([
  ['First this. Then that.[1]', 'First this.', 'paragraph(~First this.~? Then that.<1>)'],
  ['It is so.[1] And **much** more', 'And **much** more', 'paragraph(It is so.<1> ~And ~strong(~much~)~ more~?)'],
  ['It is so.[1] Or not', ' Or not', 'paragraph(It is so.<1>~ Or not~?)'],
  ['- one\n- two[1]', '- one', 'list(listItem(paragraph(~one~?))listItem(paragraph(two<1>)))'],
  ['> said so', '> said so', 'blockquote(paragraph(~said so~?))'],
  ['Nothing.', 'elsewhere', 'paragraph(Nothing.)'],
])('marks the claim %j › %j that nothing supports', (answer, claim, expected) => {
  const start = answer.indexOf(claim);
  const unsupported = [{ start: start < 0 ? 900 : start, end: (start < 0 ? 900 : start) + claim.length }];
  expect(outline(readAnswer(answer, { unsupported }))).toBe(expected);
});

test('takes any claims, in any order, and keeps the text', () => {
  const answer = 'One, **two** [1] and\n\n- three [2]\n- four.';
  const claim = fc.record({ start: fc.nat(60), end: fc.nat(60) });
  const words = (text: string) => text.replaceAll(/paragraph|list|Item|strong|emphasis|[^\w<>]/g, '');
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 4 }), (unsupported) => {
      expect(words(outline(readAnswer(answer, { unsupported })))).toBe('Onetwo<1>andthree<2>four');
    }),
  );
});

test('shows exactly the markers that the server checked, in whatever markdown', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[1]',
      '[2, 3]',
      '【4】',
      '[',
      ']',
      '\\',
      '**',
      '*',
      '> ',
      '\n',
      '\n\n',
      '- ',
      '#',
      '<b>',
      '(x)',
      ': ',
      ' ',
      '_',
      '&#91;',
      '1',
      '~~',
      '1. ',
      '|',
      '\n|-|-|\n',
    ),
    fc.string({ maxLength: 5 }).map((text) => text.replaceAll('`', "'")),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const answer = pieces.join('');
      const shown = [...outline(readAnswer(answer)).matchAll(/<(\d[\d,]*)>/g)].map(([, numbers]) => numbers);
      const checked = parseMarkers(answer).flatMap((segment) =>
        segment.kind === 'markers' ? [segment.numbers.join()] : [],
      );
      expect(shown).toEqual(checked);
    }),
  );
});

test('nothing that is written becomes a link, a picture or markup', () => {
  const address = fc.constantFrom(
    'https://evil.example',
    'www.evil.example',
    'evil.example',
    'it@evil.example',
    'mailto:it@evil.example',
    'javascript:alert(1)',
    '//evil.example',
    'https://пример.рф',
    'hxxps://evil[.]example',
  );
  const around = fc.constantFrom<[string, string]>(
    ['', ''],
    ['[here](', ')'],
    ['![here](', ')'],
    ['<', '>'],
    ['[here][x]\n\n[x]: ', ''],
    ['<a href="', '">here</a>'],
    ['**', '**'],
    ['> - ', '\n'],
    ['# ', ''],
    ['<img src=', '>'],
  );
  fc.assert(
    fc.property(address, around, fc.boolean(), (written, [before, after], isUnsupported) => {
      const answer = `Type your password at ${before}${written}${after} now.`;
      const kinds = new Set<string>();
      const visit = (node: Nodes): void => {
        kinds.add(node.type);
        if ('children' in node) for (const child of node.children) visit(child);
      };
      visit(readAnswer(answer, isUnsupported ? { unsupported: [{ start: 0, end: answer.length }] } : {}).tree);
      for (const kind of ['link', 'linkReference', 'image', 'imageReference', 'definition', 'html'])
        expect(kinds).not.toContain(kind);
    }),
  );
});
