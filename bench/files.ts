import { realFiles } from '#server/testing/real-files.ts';
import { surveyRealFiles } from '#server/testing/real-files-survey.ts';
import { megabytes, type Row, seconds } from './figures.ts';

/** Files that nobody here wrote, many of them hostile, through the calls, while another company goes on. */
export async function measureFiles(): Promise<Row[]> {
  const files = realFiles();
  if (files.length === 0) return [['the files are not there', '', '']];
  const { outcomes, wrong, neighbour, memoryMb } = await surveyRealFiles(files);
  const slowest = (hostile: boolean) => {
    const times = outcomes.filter(({ row }) => row.hostile === hostile);
    const most = times.reduce((a, b) => (b.ms > a.ms ? b : a));
    return `${seconds(most.ms)} (${most.row.path})`;
  };
  const count = (wanted: string) => String(outcomes.filter(({ state }) => state === wanted).length);
  return [
    ['files', String(outcomes.length), ''],
    ...['ready', 'partial', 'failed', 'refused'].map((state): Row => [`of these ${state}`, count(state), '']),
    ['not as they should be', [String(wrong.length), ...wrong].join('; '), '0'],
    ['slowest hostile one, from when it began to be read', slowest(true), '60 s'],
    ['slowest other one, its wait among scans included', slowest(false), ''],
    ['rounds of another company meanwhile: upload, read, ask', String(neighbour.rounds), ''],
    ['the longest of them', seconds(neighbour.maxMs), ''],
    ['memory of the server before, and at most', `${mb(memoryMb.before)}, ${mb(memoryMb.most)}`, ''],
    ['memory of all parsers together, at most', mb(memoryMb.parsers), ''],
  ];
}

function mb(value: number): string {
  return megabytes(value * 1024 * 1024);
}
