/** Whether this browser and this page have passkeys, with the JSON that the server speaks. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

/** The person has closed the browser's window, or nothing of theirs fits. */
export class PasskeyRefused extends Error {}

/** Has the browser make a passkey. @throws PasskeyRefused */
export async function makePasskey(options: unknown) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const { id, rawId, response } = (await asked(() => navigator.credentials.create({ publicKey }))) as RegistrationJSON;
  const { clientDataJSON, attestationObject } = response;
  return { id, rawId, type: 'public-key' as const, response: { clientDataJSON, attestationObject } };
}

/** Has the browser sign with a passkey. @throws PasskeyRefused */
export async function signWithPasskey(options: unknown) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const { id, rawId, response } = (await asked(() => navigator.credentials.get({ publicKey }))) as AssertionJSON;
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, rawId, type: 'public-key' as const, response: { clientDataJSON, authenticatorData, signature } };
}

interface RegistrationJSON {
  id: string;
  rawId: string;
  response: { clientDataJSON: string; attestationObject: string };
}

interface AssertionJSON {
  id: string;
  rawId: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

async function asked(ask: () => Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    throw new PasskeyRefused('the browser has no passkey for this', { cause });
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused('no passkey was chosen');
  return credential.toJSON();
}
