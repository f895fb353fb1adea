/**
 * `npm run audit` asks the registry for advisories about what the product ships.
 * It ends with 0 where there are none, 1 where there are, and 2 where the registry does not answer: not knowing is no
 * good news. It is no part of `npm test`, which passes without a network.
 */
import { npm } from './npm.ts';

interface Report {
  vulnerabilities?: Record<
    string,
    { severity: string; range: string; isDirect: boolean; via: (string | { title: string })[] }
  >;
}

const { printed } = npm('audit', '--omit=dev', '--json');
const report = read(printed);
if (!report?.vulnerabilities) {
  console.log('The registry does not answer questions about advisories: nothing is known about what is installed.');
  process.exitCode = 2;
} else {
  const found = Object.entries(report.vulnerabilities);
  for (const [name, { severity, range, via }] of found) {
    const titles = via.map((each) => (typeof each === 'string' ? `through ${each}` : each.title));
    console.log(`${severity}: ${name} ${range}: ${titles.join('; ')}`);
  }
  console.log(found.length === 0 ? 'No advisories.' : `${found.length} packages with advisories.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

function read(text: string): Report | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
