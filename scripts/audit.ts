/**
 * `npm run audit` asks the registry for advisories about what the product ships.
 * It ends with 0 where there are none, 1 where there are, and 2 where the registry does not answer: not knowing is no
 * good news. It is no part of `npm test`, which passes without a network.
 *
 * `npm run audit -- verify [<company id>] [--head <place>:<hash>]` checks the audit logs of all companies, or of one,
 * also while the service runs. It ends with 0 where every event is as it was written, 1 where one is not, 2 where that
 * could not be found out.
 */
import { npm } from './npm.ts';
import { verifyAuditLogs } from './verify-audit-logs.ts';

interface Report {
  vulnerabilities?: Record<
    string,
    { severity: string; range: string; isDirect: boolean; via: (string | { title: string })[] }
  >;
}

const [command, ...rest] = process.argv.slice(2);
if (command === 'verify') process.exitCode = await verifyAuditLogs(rest);
else if (command === undefined) process.exitCode = advisories();
else {
  console.error('usage: npm run audit [-- verify [<company id>] [--head <place>:<hash>]]');
  process.exitCode = 2;
}

function advisories(): 0 | 1 | 2 {
  const { printed } = npm('audit', '--omit=dev', '--json');
  const report = read(printed);
  if (!report?.vulnerabilities) {
    console.log('The registry does not answer questions about advisories: nothing is known about what is installed.');
    return 2;
  }
  const found = Object.entries(report.vulnerabilities);
  for (const [name, { severity, range, via }] of found) {
    const titles = via.map((each) => (typeof each === 'string' ? `through ${each}` : each.title));
    console.log(`${severity}: ${name} ${range}: ${titles.join('; ')}`);
  }
  console.log(found.length === 0 ? 'No advisories.' : `${found.length} packages with advisories.`);
  return found.length === 0 ? 0 : 1;
}

function read(text: string): Report | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
