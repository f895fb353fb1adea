import { describe, expect, test } from 'vitest';
import { realFiles } from './real-files.ts';
import { surveyRealFiles } from './real-files-survey.ts';

/** What the program may need beyond what it needs at rest, whatever it is sent: parsers have memory of their own. */
const moreMemoryMb = 400;
/** Of those in which text must be recognised, which takes long, only this one; `npm run bench -- files` reads all. */
const scan = 'invoice_image.png';

const rows = realFiles().filter(({ path, expect }) => expect !== 'ocr' || path === scan);

describe.skipIf(rows.length === 0 || process.platform !== 'linux')('real files, through the calls', () => {
  test('are found at their place, refused with what is accepted, or end with a reason, while another company goes on', {
    timeout: 900_000,
  }, async () => {
    const { outcomes, wrong, neighbour, memoryMb } = await surveyRealFiles(rows);
    expect(wrong).toEqual([]);
    expect(outcomes).toHaveLength(rows.length);
    expect(neighbour.rounds).toBeGreaterThan(3);
    expect(memoryMb.most - memoryMb.before).toBeLessThan(moreMemoryMb);
  });
});
