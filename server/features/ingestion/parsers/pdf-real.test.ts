import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseBytes } from '../fixtures.ts';
import { parsePdf } from './pdf.ts';

const folder = '../shared/data/realpdf/finance/pdf/';
const businessFolder = '../shared/data/realpdf/business/pdf/';

test.skipIf(!existsSync(folder))(
  'words in a font that is wrong about its height are all read',
  {
    timeout: 120_000,
  },
  async () => {
    const { blocks } = await parseBytes(parsePdf, readFileSync(`${folder}NRRD_executive-summary_2017.pdf`));
    const page = blocks.filter((block) => block.page === 20).map(({ text }) => text);
    expect(page.join(' ')).toContain('Across 31 companies (out of 45 invited to reconcile) and 10 revenue streams');
    expect(page).toContain('2014 | $12,646,673,553');
  },
);

test.skipIf(!existsSync(folder))(
  'rows of a dense statement are whole, under their heads and labels',
  {
    timeout: 120_000,
  },
  async () => {
    const { blocks } = await parseBytes(parsePdf, readFileSync(`${folder}2021FinancialReportAppendix.pdf`));
    const page = blocks.filter((block) => block.page === 7);
    expect(page.find(({ table }) => table)?.table).toEqual({
      columns: ['', 'Jan - Mar, 2021', 'Apr - Jun, 2021', 'Jul - Sep, 2021', 'Oct - Dec, 2021', 'Total'],
      caption: 'Quarterly Profit and Loss Summary – January - December 2021',
    });
    expect(page.find(({ text }) => text.startsWith('6026'))).toMatchObject({
      cells: ['6026 PEO Workers Compensation Insurance', '170.63', '175.68', '131.46', '-5,406.05', '-4,928.28'],
      parents: ['EXPENSES', '1 Team Salary & Benefit Expenses'],
    });
  },
);

test.skipIf(!existsSync(businessFolder))(
  'lines of prose are no rows of a table, though the gaps between their words stand under each other',
  {
    timeout: 120_000,
  },
  async () => {
    const { blocks } = await parseBytes(parsePdf, readFileSync(`${businessFolder}VA9.pdf`));
    const page = blocks.filter((block) => block.page === 4);
    expect(page.filter(({ kind }) => kind === 'row')).toEqual([]);
    expect(page.map(({ text }) => text).join(' ')).toContain(
      'Tell us what facts you think VA got wrong and/or how you think VA misapplied the law in your case.',
    );
  },
);

test.skipIf(!existsSync(businessFolder))(
  'a definition whose lines are rows to the layout reader is one row',
  {
    timeout: 120_000,
  },
  async () => {
    const { blocks } = await parseBytes(parsePdf, readFileSync(`${businessFolder}NIST.SP.800-171r2.pdf`));
    expect(blocks).toContainEqual(
      expect.objectContaining({
        kind: 'row',
        page: 67,
        cells: [
          'information system [44 USC 3502]',
          'A discrete set of information resources organized for the collection, processing, maintenance, use, sharing, dissemination, or disposition of information.',
        ],
      }),
    );
  },
);
