import { expect, test } from 'vitest';
import { askedDefinition, termsOfAsking } from './definition.ts';

test.each([
  ['What is an information system?', 'information system'],
  ['How does NIST define an information system?', 'information system'],
  ['How is "Confidential Information" defined in the contract?', 'Confidential Information'],
  ['What does integrity mean in the NIST guide?', 'integrity'],
  ['Definition of information security', 'information security'],
  ['What is meant by privileged user?', 'privileged user'],
  ['Please define external network', 'external network'],
  ['What does CUI stand for?', 'CUI'],
  ['In the bylaws, what is a quorum?', 'quorum'],
  ['Was versteht man unter Telearbeit?', 'Telearbeit'],
  ['Was ist ein Auftragsverarbeiter?', 'Auftragsverarbeiter'],
  ["Qu'est-ce qu'un sous-traitant ?", 'sous-traitant'],
  ['¿Qué significa encargado?', 'encargado'],
  ["Che cos'è un quorum?", 'quorum'],
])('%s asks what "%s" means', (question, term) => {
  expect(askedDefinition(question)?.term).toBe(term);
});

test.each([
  'What is the filing fee?',
  'What is required of applicants?',
  'What is net income for 2022?',
  'What are our opening hours?',
  'Who is the chair?',
  'How much is the fee?',
  `What is ${'very '.repeat(8)}long?`,
  `${'define '.repeat(500)}?`,
])('%s does not', (question) => {
  expect(askedDefinition(question)).toBeNull();
});

test('the words that ask are known, those of the term are none of them', () => {
  const terms = (question: string) => {
    const asked = askedDefinition(question);
    return asked === null ? [] : [...termsOfAsking(asked)];
  };
  expect(terms('What does integrity mean?')).toContain('mean');
  expect(terms('What does mean deviation mean?')).not.toContain('mean');
  expect(terms('Who can stand for election?')).toEqual([]);
});

const defines = (question: string, text: string, cells?: string[]) =>
  askedDefinition(question)?.defines(text, cells) ?? Number.NaN;

test.each([
  '"Contribution" shall mean any original work of authorship.',
  'As used in this agreement, "Contribution" means any work.',
  'A contribution is a work that is submitted.',
  'Contributions are works that are submitted.',
  '2.1 Contribution: any work that is submitted.',
  '• Contribution (or "work") – what is submitted.',
])('a sentence that explains it: %s', (text) => {
  expect(defines('What is a contribution?', text)).toBe(1);
});

test.each([
  'Your contribution matters.',
  'Contributions are used by the foundation.',
  'A contribution is not a gift.',
  'Contribution policy',
  'We thank you for each contribution, which is read.',
])('a sentence that only uses it: %s', (text) => {
  expect(defines('What is a contribution?', text)).toBe(0);
});

test('a name that is given in brackets is half an explanation', () => {
  expect(defines('What are Trademarks?', 'the marks of the project (collectively, the "Trademarks")')).toBe(0.5);
});

test('a row explains its label, without what stands in brackets behind it, in words', () => {
  const asked = 'What is an audit log?';
  expect(defines(asked, '', ['audit log [44 USC 3552]', 'A record of what was done.'])).toBe(1);
  expect(defines(asked, '', ['Log of audits (audit log)', 'A record of what was done.'])).toBe(1);
  expect(defines(asked, '', ['audit log policy', 'A record of what was done.'])).toBe(0);
  expect(defines(asked, '', ['audit log', '12'])).toBe(0);
});

test('an abbreviation is explained by the words that it is made of', () => {
  const asked = 'What does CUI stand for?';
  expect(defines(asked, 'It protects Controlled Unclassified Information (CUI) in systems.')).toBe(1);
  expect(defines(asked, 'It is CUI (controlled unclassified information).')).toBe(1);
  expect(defines('What does DoE mean?', 'of the Department of Energy (DoE)')).toBe(1);
  expect(defines(asked, 'the office of records (CUI)')).toBe(0);
  expect(defines(asked, 'the CUI registry')).toBe(0);
});
