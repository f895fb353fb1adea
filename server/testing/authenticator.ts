import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { CallInput } from '#contract/calls.ts';

type Attestation = NonNullable<CallInput<'confirmSecondFactor'>['attestation']>;
type Assertion = NonNullable<CallInput<'signIn'>['assertion']>;

/** A passkey as a device keeps it (P-256, no attestation), which can also be told to lie. */
export function newPasskey({ origin, rpId }: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const base64 = (bytes: Buffer) => bytes.toString('base64url');
  const named = { id: base64(id), rawId: base64(id), type: 'public-key' } as const;
  const clientData = (type: string, challenge: unknown, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const authenticatorData = (flags: number, counter: number, forRp: string, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(forRp).digest(), Buffer.from([flags]), count, more]);
  };

  return {
    register({ challenge }: Record<string, unknown>, { from = origin } = {}): Attestation {
      // CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authenticatorData(0b0100_0001, 0, rpId, credential);
      const length = Buffer.from([0x58, data.length]);
      // {"fmt": "none", "attStmt": {}, "authData": …}
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        length,
        data,
      ]);
      const clientDataJSON = base64(clientData('webauthn.create', challenge, from));
      return { ...named, response: { clientDataJSON, attestationObject: base64(attestationObject) } };
    },

    sign(options: unknown, { from = origin, forRp = rpId, counter = 1 } = {}): Assertion {
      const { challenge }: { challenge?: unknown } = Object(options);
      const client = clientData('webauthn.get', challenge, from);
      const data = authenticatorData(1, counter, forRp);
      const hash = createHash('sha256').update(client).digest();
      const signature = createSign('sha256')
        .update(Buffer.concat([data, hash]))
        .sign(privateKey);
      const response = {
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(signature),
      };
      return { ...named, response };
    },
  };
}
