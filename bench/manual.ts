import { PDFDocument, StandardFonts } from 'pdf-lib';
import { lcg } from './vocabulary.ts';

const parts = [
  'valve',
  'pump',
  'filter',
  'bearing',
  'sensor',
  'gasket',
  'rotor',
  'manifold',
  'relay',
  'coupling',
  'nozzle',
  'thermostat',
];
const places = [
  'inlet',
  'outlet',
  'upper frame',
  'lower frame',
  'control cabinet',
  'drive side',
  'service side',
  'cooling circuit',
];
const verbs = ['inspect', 'replace', 'lubricate', 'tighten', 'clean', 'calibrate', 'measure', 'record'];
const reasons = [
  'before each season',
  'after a power cut',
  'when the alarm sounds',
  'at every second service',
  'if the noise changes',
  'once the guard is back in place',
];

/** A page's fact: no two pages of all manuals share their code, so a question about it has one right answer. */
function factOf(manual: number, page: number): { code: string; torque: string; part: string } {
  const number = manual * 1000 + page;
  return {
    code: `NW-${4000 + number}`,
    torque: `${(7 + ((number * 37) % 900) / 10).toFixed(1)} Nm`,
    part: parts[number % parts.length] ?? '',
  };
}

/**
 * A manual of about 2,500 characters a page, the same bytes every time.
 * @param last what its last page ends with
 */
export async function makeManual(manual: number, pages: number, last = ''): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setCreationDate(new Date(0));
  document.setModificationDate(new Date(0));
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.TimesRomanBold);
  const random = lcg(manual + 1);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    const { code, torque, part } = factOf(manual, number);
    page.drawText(`${number}. Service point ${code}`, { x: 60, y: 780, size: 15, font: bold });
    const sentences = Array.from({ length: 28 }, () => sentence(random));
    sentences.splice(
      Math.floor(random() * 20),
      0,
      `The tightening torque of the ${part} at service point ${code} is ${torque}.`,
    );
    let y = 750;
    if (last !== '' && number === pages) sentences.push(last);
    for (const line of wrap(sentences.join(' '), 95)) {
      page.drawText(line, { x: 60, y, size: 10.5, font });
      y -= 15;
    }
  }
  return document.save();
}

export function questionsAbout(manuals: number, pages: number, count: number): { question: string; answer: string }[] {
  const random = lcg(99);
  return Array.from({ length: count }, () => {
    const { code, torque, part } = factOf(Math.floor(random() * manuals), 1 + Math.floor(random() * pages));
    return { question: `What is the tightening torque of the ${part} at service point ${code}?`, answer: torque };
  });
}

function sentence(random: () => number): string {
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] ?? '';
  const verb = pick(verbs);
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} the ${pick(parts)} of the ${pick(places)} ${pick(reasons)} and ${pick(verbs)} the ${pick(parts)} near the ${pick(places)}.`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
