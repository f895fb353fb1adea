import type { Config } from '#server/config/config.ts';
import { examineAddress } from './address.ts';
import { examineClock } from './clock.ts';
import { examineConnections } from './connections.ts';
import { examineDatabase, type WithConnection } from './database.ts';
import { examineFiles } from './files.ts';
import { type Finding, inWords } from './finding.ts';
import { examineMail } from './mail.ts';
import { examineParsers } from './parsers.ts';
import { examinePlaces } from './places.ts';
import { examineService } from './service.ts';

export type { Finding } from './finding.ts';

type Examination = (config: Config, withConnection: WithConnection) => Promise<Finding[]>;

/** In the order in which they are told. */
const examinations: Record<string, Examination> = {
  Service: examineService,
  Address: (config) => examineAddress(config),
  Mail: examineMail,
  Database: examineDatabase,
  Connections: examineConnections,
  Disk: (config) => examinePlaces(config),
  'File store': (config) => examineFiles(config),
  Clock: (config) => examineClock(config),
  Parsers: examineParsers,
};

/**
 * Looks at everything that a service needs, with the settings that it starts with, also while it runs. Changes nothing:
 * what it writes to a store, to see that it can, it removes.
 * An examination that fails by itself is a finding, too.
 */
export async function examine(config: Config, withConnection: WithConnection): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(examinations).map(([about, look]) =>
      look(config, withConnection).catch((error): Finding[] => [
        { about, state: 'wrong', says: `It could not be looked at: ${inWords(error)}.` },
      ]),
    ),
  );
  return found.flat();
}
