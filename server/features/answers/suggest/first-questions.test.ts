import { expect, test } from 'vitest';
import type { Block } from '#server/features/ingestion/document.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';
import type { QuotableBlock } from '../extract/unit.ts';
import { firstQuestions, languageOfBlocks } from './first-questions.ts';
import type { QuestionLanguage } from './question-phrases.ts';

const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const heading = (text: string): Block => ({ kind: 'heading', level: 2, text });
const row = (...cells: string[]): Block => ({ kind: 'row', text: cells.join(' | '), cells });
const header = (...cells: string[]): Block => ({ ...row(...cells), header: true });

function placed(given: Block[]): QuotableBlock[] {
  return placeBlocks(given).map((block) => ({ page: null, cells: null, header: false, ...block }));
}

async function questionsOf(given: Block[], language: QuestionLanguage = 'en') {
  const blocks = placed(given);
  const text = blocks.map((block) => block.text).join('\n');
  const { asked, made } = await firstQuestions(blocks, language);
  return {
    asked: asked.map((each) => each.text),
    made: made.map((each) => each.text),
    answers: [...asked, ...made].map(({ answer }) => answer && text.slice(answer.start, answer.end)),
  };
}

test('questions that stand in a document, where an answer follows', async () => {
  const { asked, answers } = await questionsOf([
    heading('Who approves journeys?'),
    paragraph('The head of the department.'),
    paragraph('3. How are receipts handed in?'),
    paragraph('In the portal.'),
    paragraph('And now?'),
    paragraph('You wonder what to do. Should you call?'),
    heading('How much does the moon weigh?'),
    heading('Receipts'),
    header('Question', 'Answer'),
    row('May I take a taxi home?', 'After ten in the evening.'),
    row('May I take a helicopter?', ''),
  ]);
  expect(asked).toEqual(['Who approves journeys?', 'How are receipts handed in?', 'May I take a taxi home?']);
  expect(answers[2]).toBe('May I take a taxi home? | After ten in the evening.');
});

test.each<[QuestionLanguage, string, string]>([
  ['en', 'The term "Cold goods" means products that must be kept cool.', 'What does “Cold goods” mean?'],
  ['en', '2.4 A bill of lading is a receipt for goods.', 'What is a bill of lading?'],
  ['de', '„Kühlware“ bezeichnet Waren, die kühl bleiben müssen.', 'Was heißt „Kühlware“?'],
  ['de', 'Unter Rufbereitschaft versteht man die Zeit zu Hause.', 'Was heißt „Rufbereitschaft“?'],
  ['de', 'Die Probezeit ist eine Zeit von sechs Monaten.', 'Was ist die Probezeit?'],
  ['fr', '« Jour ouvré » désigne un jour du lundi au vendredi.', 'Que signifie « Jour ouvré » ?'],
  ['fr', 'L’astreinte est une période hors du bureau.', 'Qu’est-ce que « astreinte » ?'],
  ['es', '«Día hábil» significa un día de lunes a viernes.', '¿Qué significa «Día hábil»?'],
  ['it', '«Giorno lavorativo» significa un giorno dal lunedì al venerdì.', 'Che cosa significa «Giorno lavorativo»?'],
  ['ja', '検収とは、納品された商品を確認することです。', '検収とは何ですか？'],
  ['zh', '“工作日”是指周一至周五。', '什么是工作日？'],
])('%s: what "%s" defines is asked for', async (language, sentence, question) => {
  const { made, answers } = await questionsOf([paragraph(sentence)], language);
  expect({ made, answers }).toEqual({ made: [question], answers: [sentence] });
});

test.each([
  'There is a lift.',
  'It is a rule of the house.',
  'If the hotel is a long way off, take a taxi.',
  'The train is the normal means of transport.',
])('nothing is asked for what "%s" says', async (sentence) => {
  expect((await questionsOf([paragraph(sentence)])).made).toEqual([]);
});

test('a table is asked by the names of its rows and columns', async () => {
  const table = async (language: QuestionLanguage, ...rows: Block[]) => (await questionsOf(rows, language)).made;
  const cities = [row('Berlin', 'Germany', '145 euros'), row('Zürich', 'Switzerland', '210 francs')];
  expect(await table('en', header('City', 'Country', 'Limit per night (gross)'), ...cities)).toEqual([
    'What is the limit per night for Berlin?',
  ]);
  expect(await table('de', header('Ort', 'Land', 'Höchstbetrag'), ...cities)).toEqual([
    'Was steht unter „Höchstbetrag“ für Berlin?',
  ]);
  expect(await table('fr', header('Ville', 'Pays', 'Plafond'), ...cities)).toEqual([
    'Quelle valeur figure sous « Plafond » pour Berlin ?',
  ]);
  const leave = [row('Own wedding', '2 days'), row('Moving house', '1 day')];
  expect(await table('en', header('Occasion', 'Days of leave'), ...leave)).toEqual([
    'How many days of leave are there for “Own wedding”?',
  ]);
  const sites = [
    row('H1', 'Dock road 4', '6:00'),
    row('Head office', 'Pier 17', '7:30'),
    row('Old town', 'Lane 2', '9:00'),
  ];
  expect(await table('en', header('Site', 'Address', 'Reception'), ...sites)).toEqual([
    'What is the address of “Head office”?',
  ]);
  const help = [row('Contract, salary', 'Ann Lee', '4512'), row('Lost device', 'IT', '4911')];
  expect(await table('en', header('Question', 'Person', 'Extension'), ...help)).toEqual([
    'Which extension do I call for “Lost device”?',
  ]);
  expect(await table('en', header('Question', 'Person', 'Phone'), ...help)).toEqual([
    'Which phone number do I call for “Lost device”?',
  ]);
  const terms = [row('North GmbH, journeys to Austria', '5 March to 9 May'), row('Hotels, meals', '1 May to 2 June')];
  expect(await table('en', header('Contract', 'First and last day'), ...terms)).toEqual([
    'What are the first and last day for “North GmbH, journeys to Austria”?',
  ]);
  const parts = [row('P-1', 'Pump 1', '3.50'), row('P-2', 'Pump 2', '40.50')];
  expect(await table('en', header('Article', 'Description', 'Price EUR'), ...parts)).toEqual([
    'What is the price for Pump 1?',
  ]);
  const results = [row('Revenue', '41', '44'), row('Costs', '38', '40')];
  expect(await table('en', header('Figure', '2025', '2026'), ...results)).toEqual(['What is “Revenue” for 2025?']);
});

test('a table without names for its rows is not asked about', async () => {
  const rates = [row('D1', '30', '24.90'), row('D1', '100', '49.50')];
  expect((await questionsOf([header('Zone', 'Weight', 'Price'), ...rates])).made).toEqual([]);
  expect((await questionsOf([row('Berlin', '145'), row('Zürich', '210')])).made).toEqual([]);
});

test.each([
  'Need Additional Help?',
  'WHAT ARE RESERVES?',
  'Audited financial statements publicly available?',
  'Keeping a system up to date takes work - what is the plan?',
])('nobody asks "%s"', async (text) => {
  expect((await questionsOf([heading(text), paragraph('Something follows.')])).asked).toEqual([]);
});

test.each([
  [header('Name', 'Phone 1'), [row('Sheryl', '555 1234'), row('Preston', '555 9876')]],
  [header('Place', 'Date & Time:'), [row('Houston', '3 May'), row('Dallas', '4 May')]],
  [header('Programme', 'USD'), [row('Memberships', '120.00'), row('Benefits', '80.00')]],
  [header('Board', 'Computer Processors ARM Hardware Specifications'), [row('Alpha', '4'), row('Beta', '8')]],
])('a column that nobody names is not asked for', async (names, rows) => {
  expect((await questionsOf([names, ...rows])).made).toEqual([]);
});

test.each<[QuestionLanguage | null, string]>([
  ['en', 'Every journey is approved before anything is booked. The line manager approves journeys within Germany.'],
  [
    'de',
    'Der Urlaub wird mit dem Vorgesetzten abgestimmt. Wer ihn nicht nehmen kann, verliert ihn am Ende des Jahres.',
  ],
  [
    'fr',
    'Les frais sont remboursés dans un délai de trente jours. Le voyageur remet ses justificatifs à la comptabilité.',
  ],
  ['es', 'Los gastos se reembolsan en un plazo de treinta días. El viajero entrega los recibos a la contabilidad.'],
  [
    'it',
    'Le spese sono rimborsate entro trenta giorni dalla consegna. Il viaggiatore consegna le ricevute alla contabilità.',
  ],
  ['ja', '平素より弊社製品をご愛用いただき、誠にありがとうございます。価格を改定させていただきます。'],
  ['zh', '为了提高效率，所有出差必须事先得到批准。费用在三十天内报销。'],
  [null, 'TB-38 5200 12 Berlin Hamburg 4800 EUR'],
  [null, 'Wydatki są zwracane w ciągu trzydziestu dni od złożenia rachunków przez pracownika w biurze firmy.'],
])('the language of a document is told by its sentences: %s', (language, text) => {
  expect(languageOfBlocks(placed([paragraph(text)]))).toBe(language);
});
