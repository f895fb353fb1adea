import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server of this machine that knows what a test gives it and nothing else. */
export interface NameServer {
  /** As `DNS_SERVER` has it. */
  address: string;
  /** The TXT record of each name; of any other there is no such name. */
  records: Map<string, string>;
  /** The IPv4 address of each name. */
  addresses: Map<string, string>;
  /** How many questions have come. */
  asked: () => number;
  /** It answers nothing any more. */
  fallSilent(): void;
  close(): Promise<void>;
}

export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string>();
  const addresses = new Map<string, string>();
  let asked = 0;
  let silent = false;
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    asked += 1;
    if (silent) return;
    const { name, end } = nameIn(query, 12);
    const type = query.readUInt16BE(end);
    const known = dataOf(type, (type === typeA ? addresses : records).get(name.toLowerCase()));
    const head = Buffer.from(query.subarray(0, 12));
    // An answer, with authority; 3: there is no such name (RFC 1035, section 4.1.1).
    head.writeUInt16BE(known === null ? 0x8583 : 0x8580, 2);
    head.writeUInt16BE(known === null ? 0 : 1, 6);
    head.fill(0, 8);
    const question = query.subarray(12, end + 4);
    socket.send(
      Buffer.concat([head, question, known === null ? Buffer.alloc(0) : answerOf(type, known)]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    addresses,
    asked: () => asked,
    fallSilent: () => {
      silent = true;
    },
    close: () => new Promise((done) => socket.close(() => done())),
  };
}

function nameIn(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

const typeA = 1;
const typeTxt = 16;

/** What a record of that type holds (RFC 1035, sections 3.3.14 and 3.4.1); null: there is none. */
function dataOf(type: number, value: string | undefined): Buffer | null {
  if (value === undefined) return null;
  if (type === typeA) return Buffer.from(value.split('.').map(Number));
  return type === typeTxt ? Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]) : null;
}

/** Of the name that was asked for, good for no time. */
function answerOf(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}
