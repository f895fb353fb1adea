import { expect, test } from 'vitest';
import { leastWorkMs } from '#server/testing/least-work.ts';
import { askedKind, hasKind } from './answer-kind.ts';
import { answerType } from './answer-type.ts';
import { focusOf } from './focus.ts';

test.each([
  ['How much did the workshops cost in 2022?', 'money'],
  ['What is the fee for filing the form?', 'money'],
  ['¿Cuánto costó desarrollar la aplicación?', 'money'],
  ['Wie viel Gehalt bekommt die Leitung?', 'money'],
  ['What was the turnover in 2023?', 'money'],
  ['Wie hoch ist der Jahresbeitrag für Kinder?', 'money'],
  ['Dog licence fee in Harbourtown', 'money'],
  ['Harbourtown: fine for the fifth false alarm', 'money'],
  ['Late filing penalty', 'money'],
  ['How large was the gain on the sale of the mill?', 'money'],
  ['How large was the loss on the sale of the mill?', 'money'],
  ['How large was the loss of forest?', null],
  ['For how much did Acme sell its mill?', 'money'],
  ['What was the fair value of the notes in 2023?', 'money'],
  ['Which tax is paid on wine?', 'money'],
  ['Acme net sales 2023', 'money'],
  ['What were the proceeds of the offering?', 'money'],
  ['How high was the profit of the mill?', 'money'],
  ['Acme profit margin 2023', null],
  ['Acme expense policy 2023', null],
  ['Weight loss after surgery', null],
  ['Grant application deadline 2023', null],
  ['How big is the sales team?', null],
  ['How much milk was sold?', null],
  ['Und was kostet der Hund?', 'money'],
  ['Land at cost, end of 2023', 'money'],
  ['Acme: growth of revenue in 2023', null],
  ['How the rent is set', null],
  ['Which languages does the grant request name?', null],
  ['Which firm was sold at a profit?', null],
  ['How large is the hall?', null],
  ['Is there a fee for children?', null],
  ['Describe the costs of the move', null],
  ['Rules on fines and who collects them', null],
  ['What was the driver turnover in 2023?', null],
  ['For how many months must records be kept?', 'duration'],
  ['Wie lange gilt die Garantie?', 'duration'],
  ['What share of the projects fails?', 'percent'],
  ['What is the percentage change in net income from 2023 to 2024?', null],
  ['What is the percentage of audit fees out of the total fees?', null],
  ['In what temperature range may it be used?', 'temperature'],
  ['How much memory should it have?', 'storage'],
  ['Wie viel Arbeitsspeicher sollte der Rechner haben?', 'storage'],
  ['What is the biggest SD card that fits?', 'storage'],
  ['¿Cuánta memoria necesita el equipo?', 'storage'],
  ['¿Qué cantidad de memoria RAM necesita?', 'storage'],
  ['Quanta memoria serve al computer?', 'storage'],
  ['Combien de mémoire faut-il ?', 'storage'],
  ['¿De qué fecha es la memoria sobre los municipios?', null],
  ['Quelle est la date du mémoire sur les communes ?', null],
  ['How wide are the mounting holes?', 'length'],
  ['How long was the runway?', 'length'],
  ['What is the longest distance allowed between the radio and its supply?', 'length'],
  ['How far ahead can the docket be opened?', 'duration'],
  ['How much notice must a member give?', 'duration'],
  ['How far apart were their royalties?', null],
  ['How long is the warranty?', 'duration'],
  ['How many watts does it consume?', 'power'],
  ['How heavy is the parcel?', 'weight'],
  ['How many tons of coal were exported?', null],
  ['How many short tons of coal were exported?', null],
  ['How many dollars did it cost?', null],
  ['How many per cent of it is coal?', null],
  ['How many of them know it?', null],
  ['How many people attended?', 'count'],
  ['Wie viele Mitarbeiter hat die Firma?', 'count'],
  ['From what time may the mowers run?', 'clock'],
  ['Between which hours is the pool open?', 'clock'],
  ['Harbourtown library opening hours', 'clock'],
  ['À quelle heure ouvre le guichet ?', 'clock'],
  ['Um wie viel Uhr schließt das Tor?', 'clock'],
  ['Within what time must it be reported?', null],
  ['At what time of year is it sown?', null],
  ['What time limit is there for speakers?', null],
  ['How many office hours do they hold?', 'count'],
  ['How often is the filter changed?', 'frequency'],
  ['¿Con qué frecuencia se revisa?', 'frequency'],
  ['Wie oft wird die Anlage geprüft?', 'frequency'],
  ['How often was the tool used in 2021?', null],
  ['How fast may a cart drive on the track?', 'speed'],
  ['What is the maximum speed of the belt?', 'speed'],
  ['Which office runs the speed cameras?', null],
  ['Smallest floor area of a house', 'area'],
  ['Wie viele Quadratmeter hat die Halle?', 'area'],
  ['In what area does the firm work?', null],
  ['Who signs the form?', null],
  ['Who knows what the trip costs?', null],
  ['Where is it said what the rent costs?', null],
  ['What was the reason for the higher costs?', null],
  ['When is it told what the repair costs?', null],
  ['On what date did Acme buy the mill?', 'day'],
  ['An welchem Tag beginnt der Kurs?', 'day'],
  ['¿Qué día cierra la oficina?', 'day'],
  ['How many days of leave are there?', 'duration'],
  ['In what year was the mill built?', null],
  ["What is the caretaker's phone number?", 'phone'],
  ['Wie lautet die Telefonnummer der Verwaltung?', 'phone'],
  ['What number of phones was sold?', null],
  ['¿Cuál es el número de teléfono de la oficina?', 'phone'],
  ['Qual è il numero di telefono?', 'phone'],
  ['How do I change my e-mail address?', null],
  ['What is the maximum length of an e-mail address?', 'length'],
  ['Which date format is used?', null],
  ['What days of leave are granted?', null],
  ['Give me the exact date of the sale', 'day'],
  ['What day rate do repairs have?', null],
  ['What is the e-mail address of the office?', 'email'],
  ['Quelle est son adresse e-mail ?', 'email'],
])('%s asks for %s', (question, kind) => {
  expect(askedKind(question)).toBe(kind);
});

test.each([
  ['They ask for $20.00 each.', 'money', true],
  ['It is reviewed within 30 days.', 'money', false],
  ['Each has 12.50 of it, or 3,50 in the south.', 'money', true],
  ['As described in 3.0.11 and Section 3.12.', 'money', false],
  ['It was bought on November 2, 2023.', 'day', true],
  ['Am 2. November 2023 und am 3.11.2023.', 'day', true],
  ['Open on Mondays.', 'day', true],
  ['Le 1er juillet 2021.', 'day', true],
  ['JANUARY 5, 2021.', 'day', true],
  ['On the 15th of each month.', 'day', true],
  ['On the last working day.', 'day', true],
  ['5月3日に買った。', 'day', true],
  ['It was bought in the fourth quarter of 2023, in November.', 'day', false],
  ['Of 12 mills 3 were sold, and they may 5 times more.', 'day', false],
  ['Call +49 (30) 123 45-67.', 'phone', true],
  ['Call 555-0123, or 030 1234567.', 'phone', true],
  ['On 2023-11-02, in 2023 and 2024, for 1,234,567.00.', 'phone', false],
  ['Write to office@acme.example.', 'email', true],
  ['Write to the office @ Acme.', 'email', false],
  ['It is reviewed within 30 days.', 'duration', true],
  ['It has at least 14 characters.', 'duration', true],
  ['It costs 30 euros.', 'duration', false],
  ['Two thirds of them.', 'percent', true],
  ['At 40 °C at most.', 'temperature', true],
  ['4GB of RAM, or 8 GB.', 'storage', true],
  ['Four cards in 2 slots.', 'storage', false],
  ['Holes with 3.3mm diameter.', 'length', true],
  ['A 40-foot wide runway, 3455 ft long.', 'length', true],
  ['It has 3 modes.', 'length', false],
  ['We have hired drivers over the past 5 years.', 'count', false],
  ['We have hired 5 drivers.', 'count', true],
  ['12 V at 300 mA.', 'power', true],
  ['They weigh 2.5 kg.', 'weight', true],
  ['From 7 a.m. to noon.', 'clock', true],
  ['Ouvert de 7h30 à 17h30.', 'clock', true],
  ['Bis spätestens 18.00 Uhr.', 'clock', true],
  ['Within 24 months, at a ratio of 3.15.', 'clock', false],
  ['It is reviewed quarterly.', 'frequency', true],
  ['Der Filter wird alle zwei Wochen gewechselt.', 'frequency', true],
  ['Se informa trimestralmente.', 'frequency', true],
  ['The filter is made of 3 parts.', 'frequency', false],
  ['At 20 km/h or less.', 'speed', true],
  ['They answer within 2 hours.', 'speed', true],
  ['Over 55 kg in weight.', 'speed', false],
  ['Some 1,500 square feet.', 'area', true],
  ['A room of 24 m².', 'area', true],
  ['A wall of 24 m.', 'area', false],
  ['Some 1,250 people came.', 'count', true],
  ['It has 1.5 million readers.', 'count', true],
  ['Three of them came.', 'count', true],
  ['It cost $ 336,652 in 2024, EUR 500 or 12 € of it abroad.', 'count', false],
  ['Employee recognition | 1,062.68 | 12 %', 'count', false],
  ['3.5.7 As IA-5(1) says', 'count', false],
] as const)('"%s" has an amount of %s: %s', (text, kind, has) => {
  expect(hasKind(text, kind)).toBe(has);
});

test('in a row a figure alone may be money, a share may not', () => {
  expect(hasKind('24,853.36', 'money', true)).toBe(true);
  expect(hasKind('12 %', 'money', true)).toBe(false);
  expect(hasKind('Firmware for the RP2040 and UEXT-2', 'money', true)).toBe(false);
  expect(hasKind('EUR500', 'money', true)).toBe(true);
});

test.each([
  ['How many page views did the site have?', 'page views'],
  ['Wie viele Spindeln kann die Maschine ansteuern?', 'Spindeln'],
  ['Which firm audited the accounts?', 'firm audited the accounts'],
  ['What is the filing deadline of the form?', 'filing deadline'],
  ['Is it open?', ''],
])('what %s asks for is named by "%s"', (question, focus) => {
  expect(focusOf(question)).toBe(focus);
});

test('costs and fees ask for an amount though no word says so, unless something else is asked', () => {
  expect(answerType('Personnel costs in 2016')).toBe('amount');
  expect(answerType('Who pays the fee?')).toBe('person');
  expect(answerType('Is there a fee?')).toBeNull();
});

test('"when" asks for a date only where nothing else is asked', () => {
  expect(answerType('When was the form filed?')).toBe('date');
  expect(answerType('Since when has it been a charity?')).toBe('date');
  expect(answerType('Start date of the treasurer')).toBe('date');
  expect(answerType('What happens when two people ask for the same benefit?')).toBeNull();
  expect(answerType('Can we lock the screen when we leave?')).toBeNull();
  expect(answerType('How many hours remain when the battery is full?')).toBe('amount');
});

test('who pastes a long text asks before it or behind it', () => {
  const pasted = 'The board met in the hall. '.repeat(200);
  for (const text of [`How much was the fee? ${pasted}`, `${pasted}How much was the fee?`]) {
    expect(answerType(text)).toBe('amount');
    expect(askedKind(text)).toBe('money');
  }
  // Nor is a word that is cut another one.
  const filled = (length: number) => 'a '.repeat(length).slice(0, length);
  for (const word of ['would', 'whenever', 'quickly', 'whole', 'shower', 'answer'])
    for (let from = 985; from < 1000; from++) {
      expect(answerType(`${filled(from)} ${word} ${pasted}`)).toBeNull();
      expect(answerType(`${pasted} ${word} ${filled(from)}`)).toBeNull();
    }
  // What is said within it asks for nothing.
  expect(answerType(`${pasted}How much was the fee? ${pasted}`)).toBeNull();
  expect(askedKind(`${pasted}How much was the fee? ${pasted}`)).toBeNull();
});

test.each(['.', ',', '-', '1', '1.', '1,', '1-'])('a text of 8,000 characters takes hardly any time: %j', (unit) => {
  const text = unit.repeat(8000).slice(0, 8000);
  const look = () => (['money', 'percent', 'temperature', 'count'] as const).map((kind) => hasKind(text, kind, true));
  expect(leastWorkMs(look)).toBeLessThan(20);
});

test('a share in a row of cells is no amount, and a figure beside it is one', () => {
  expect(hasKind('12.5 % | -3%', 'money', true)).toBe(false);
  expect(hasKind('1,200.50 | 12 %', 'money', true)).toBe(true);
  expect(hasKind('-5 C', 'temperature')).toBe(true);
});
