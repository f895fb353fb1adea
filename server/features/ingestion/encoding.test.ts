import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { decodeText } from './encoding.ts';

const western = ['windows-1252', 'iso-8859-1', 'iso-8859-15', 'macroman'];
const central = ['windows-1250', 'iso-8859-2'];
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'cp866'];

/** Sentences of offices, 40 to 120 characters, in the encodings in which such files exist. */
const sentences: Record<string, { encodings: string[]; texts: string[] }> = {
  German: {
    encodings: [...western, 'cp850'],
    texts: [
      'Die Prüfung der Geräte erfolgt jährlich durch den Hausmeister.',
      'Für Überstunden über zwölf Stunden gibt es einen zusätzlichen Urlaubstag.',
      'Bitte schließen Sie abends die Fenster.',
    ],
  },
  French: {
    encodings: [...western, 'cp850'],
    texts: [
      'Les congés doivent être demandés au moins deux semaines à l’avance.'.replace('’', "'"),
      'La réunion a été reportée à cause de la grève.',
      'Le règlement intérieur est affiché près de l’entrée du bâtiment.'.replace('’', "'"),
    ],
  },
  Spanish: {
    encodings: western,
    texts: [
      'El período de vacaciones es de veintidós días hábiles al año.',
      'La contraseña caduca a los noventa días.',
      '¿Quién autoriza los viajes al extranjero?',
    ],
  },
  Portuguese: {
    encodings: western,
    texts: [
      'A reunião da direção será às nove horas da manhã.',
      'As férias são aprovadas pela chefia até o dia quinze.',
      'O relatório não está disponível.',
    ],
  },
  Italian: {
    encodings: western,
    texts: [
      'La qualità dei prodotti è controllata ogni lunedì.',
      'Chi può firmare il contratto? Perché non c’è più tempo.'.replace('’', "'"),
    ],
  },
  Swedish: {
    encodings: western,
    texts: ['Semestern måste sökas senast två veckor före avresan.', 'Alla anställda får en nyckel på första dagen.'],
  },
  Danish: {
    encodings: western,
    texts: [
      'Nøglen til kælderen hænger på kontoret ved siden af døren.',
      'Medarbejdere får løn den sidste dag i måneden.',
    ],
  },
  Finnish: {
    encodings: western,
    texts: ['Työntekijän on ilmoitettava poissaolosta esimiehelle heti.', 'Kesäloma on neljä viikkoa.'],
  },
  Polish: {
    encodings: central,
    texts: [
      'Każdy pracownik składa wniosek o urlop co najmniej dwa tygodnie wcześniej.',
      'Proszę zamknąć okna przed wyjściem z biura.',
      'Płatność następuje w ciągu trzydziestu dni.',
    ],
  },
  Czech: {
    encodings: central,
    texts: ['Žádost o dovolenou se podává nejméně dva týdny předem.', 'Klíč od sklepa visí v kanceláři vedle dveří.'],
  },
  Hungarian: {
    encodings: central,
    texts: [
      'A szabadságot legalább két héttel előbb kell kérni.',
      'A pince kulcsa az irodában van, az ajtó mellett függ.',
    ],
  },
  Romanian: {
    encodings: ['windows-1250'],
    texts: ['Cererea de concediu se depune cu două săptămâni înainte şi se aprobă în scris.'],
  },
  Turkish: {
    encodings: ['windows-1254', 'iso-8859-9'],
    texts: ['İzin talebi en az iki hafta önce yöneticiye iletilir.', 'Çalışanlar için öğle yemeği ücretsizdir.'],
  },
  Lithuanian: {
    encodings: ['windows-1257'],
    texts: ['Prašymas dėl atostogų teikiamas prieš dvi savaites ir tvirtinamas raštu.'],
  },
  Russian: {
    encodings: [...cyrillic, 'maccyrillic'],
    texts: [
      'Заявление на отпуск подаётся за две недели.',
      'Ключ от подвала висит в коридоре.',
      'Оплата производится в течение тридцати дней.',
      'Договор вступает в силу с момента подписания.',
    ],
  },
  Ukrainian: {
    encodings: ['windows-1251', 'koi8-u'],
    texts: ['Заява на відпустку подається за два тижні до її початку.', 'Ключ від підвалу висить у коридорі.'],
  },
  Bulgarian: { encodings: ['windows-1251'], texts: ['Молбата за отпуск се подава две седмици предварително.'] },
  Greek: {
    encodings: ['windows-1253', 'iso-8859-7'],
    texts: ['Η αίτηση για άδεια υποβάλλεται δύο εβδομάδες πριν.', 'Το κλειδί του υπογείου είναι στο γραφείο.'],
  },
  Hebrew: {
    encodings: ['windows-1255', 'iso-8859-8'],
    texts: ['הבקשה לחופשה מוגשת שבועיים מראש למנהל.', 'המפתח של המרתף תלוי במשרד.'],
  },
  Arabic: {
    encodings: ['windows-1256', 'iso-8859-6'],
    texts: ['يقدم طلب الإجازة قبل أسبوعين إلى المدير المباشر.', 'مفتاح القبو معلق في المكتب بجانب الباب.'],
  },
  Thai: { encodings: ['windows-874'], texts: ['กุญแจห้องใต้ดินแขวนอยู่ในสำนักงานข้างประตู', 'พนักงานต้องขอลาล่วงหน้าสองสัปดาห์'] },
  Japanese: {
    encodings: ['shift_jis', 'euc-jp'],
    texts: [
      '休暇の申請は二週間前までに提出してください。',
      '地下室の鍵は事務所の入口に掛かっています。',
      '支払期限は請求書の発行日から三十日以内とする。',
      'パスワードは九十日ごとに変更する必要があります。',
    ],
  },
  'Chinese, simplified': {
    encodings: ['gbk', 'gb18030'],
    texts: [
      '员工应当提前两周提出休假申请。',
      '地下室的钥匙挂在办公室门口。',
      '付款期限为发票开具之日起三十天。',
      '出差住宿费每晚不超过五百元。',
    ],
  },
  'Chinese, traditional': {
    encodings: ['big5'],
    texts: [
      '員工應當提前兩週提出休假申請。',
      '地下室的鑰匙掛在辦公室門口。',
      '付款期限為發票開立之日起三十天。',
      '出差住宿費每晚不超過五千元。',
    ],
  },
  Korean: {
    encodings: ['euc-kr'],
    texts: [
      '휴가 신청은 두 주 전에 제출해야 합니다.',
      '지하실 열쇠는 사무실 입구에 걸려 있습니다.',
      '비밀번호는 구십 일마다 변경해야 합니다.',
    ],
  },
};

const cases = Object.entries(sentences).flatMap(([language, { encodings, texts }]) =>
  encodings.map((encoding) => ({ language, encoding, texts })),
);

describe('an encoding that nothing names is found by how the text reads', () => {
  test.each(cases)('$language in $encoding, a sentence at a time', ({ encoding, texts }) => {
    for (const text of texts) expect(decodeText(iconv.encode(text, encoding))).toBe(text);
  });

  test.each([
    'Müller',
    'Café',
    'Größe',
    'Zürich',
    'Señor',
    'Ångström',
    '5 €',
    '20 °C',
    '© 2026',
    'It’s “quoted” — really.',
    '£5',
  ])('a word or a sign in windows-1252: %s', (text) =>
    expect(decodeText(iconv.encode(text, 'windows-1252'))).toBe(text),
  );

  test('UTF-8 with a few broken bytes in it is still UTF-8', () => {
    const text = 'Die Prüfung der Geräte erfolgt jährlich – für alle Möbel und Schlüssel der Büros, '.repeat(3);
    const bytes = Buffer.concat([Buffer.from(text), Uint8Array.of(0xfc, 0x20), Buffer.from(text)]);
    expect(decodeText(bytes)).toBe(`${text}\ufffd ${text}`);
  });

  test('ISO-2022-JP, by its escapes', () => {
    const bytes = Buffer.from('1b24423559324b1b2842206f6b', 'hex');
    expect(decodeText(bytes)).toBe('休暇 ok');
  });

  test('also among lines of plain English, with numbers, in tables, and in capitals', () => {
    const surroundings = ['', 'Page 3 of 12\n', 'Order no. 4711, 3 items at 12.50\r\n', 'Name;Amount\r\n1;2\r\n'];
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.constantFrom(...surroundings),
        fc.constantFrom(...surroundings),
        fc.infiniteStream(fc.nat(100)),
        (each, before, after, choose) => {
          const picked = [...choose.take(2)].map((number) => each.texts[number % each.texts.length]).join(' ');
          const text = `${before}${picked}\n${after}`;
          expect(decodeText(iconv.encode(text, each.encoding))).toBe(text);
        },
      ),
      { numRuns: 400 },
    );
  });
});
