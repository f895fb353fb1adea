import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server of this machine that knows TXT records and nothing else. */
export interface NameServer {
  /** As `DNS_SERVER` has it. */
  address: string;
  /** The texts of each name; of any other there is no such name. */
  records: Map<string, string>;
  close(): Promise<void>;
}

export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query, 12);
    const text = records.get(name.toLowerCase());
    const head = Buffer.from(query.subarray(0, 12));
    // An answer, with authority; 3: there is no such name (RFC 1035, section 4.1.1).
    head.writeUInt16BE(text === undefined ? 0x8583 : 0x8580, 2);
    head.writeUInt16BE(text === undefined ? 0 : 1, 6);
    head.fill(0, 8);
    const question = query.subarray(12, end + 4);
    socket.send(
      Buffer.concat([head, question, text === undefined ? Buffer.alloc(0) : answerOf(text)]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
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

/** Of the name that was asked for, good for no time. */
function answerOf(text: string): Buffer {
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}
