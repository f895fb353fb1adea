/**
 * `npm run doctor [-- --json]`: looks at everything that the service needs here, with the settings that it starts with,
 * and says what to do about what is not right. Changes nothing (what it writes to a file store, to see that it can, it
 * removes), and may run while the service does. Exit code 1 where something is wrong.
 */
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '#server/config/config.ts';
import { examine, type Finding } from '#server/doctor/doctor.ts';
import { withConnection } from './service-database.ts';
import { tellFailure } from './tell-failure.ts';

const signs: Record<Finding['state'], string> = { right: '✓', notice: '!', wrong: '✗', unknown: '–' };

process.umask(0o077);
try {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const findings = await examined();
  console.log(values.json ? JSON.stringify(findings, null, 2) : findings.map(inLines).join('\n'));
  if (!values.json) console.log(`\n${counted(findings)}`);
  if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
} catch (error) {
  tellFailure(error);
}

async function examined(): Promise<Finding[]> {
  try {
    const config = readConfig(process.env);
    const settings: Finding = {
      about: 'Settings',
      state: 'right',
      says: `They can be read; data is in ${config.dataDir}.`,
    };
    return [settings, ...(await examine(config, (work) => withConnection(config, work)))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((says) => ({ about: 'Settings', state: 'wrong', says }));
  }
}

function inLines({ about, state, says, todo }: Finding): string {
  const line = `${signs[state]} ${about.padEnd(11)} ${says}`;
  return todo === undefined ? line : `${line}\n${' '.repeat(14)}${todo}`;
}

function counted(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  return `${count('right')} right, ${count('notice')} worth a thought, ${count('wrong')} wrong, ${count('unknown')} not known here`;
}
