import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';

/** The parts used of the key file that Google gives out for a service account. */
export const googleAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});
export type GoogleAccount = z.infer<typeof googleAccount>;

/** What `token_uri` answers. */
export const googleGrant = z.object({ access_token: z.string(), expires_in: z.number() });

/** The form to send to `token_uri` for an access token (RFC 7523, as Google documents it for server to server). */
export async function tokenForm(account: GoogleAccount, scope: string): Promise<URLSearchParams> {
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(account.private_key, 'RS256'));
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
}
