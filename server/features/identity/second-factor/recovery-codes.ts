import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { recoveryCodes } from '#server/db/schema.ts';

const codesGiven = 10;
/** Without letters and digits that are taken for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz023456789';

/** Gives a person new ones in place of those of before. @returns them, for the one time that they are shown */
export async function replaceRecoveryCodes(
  tx: Tx,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const rows = codes.map((code) => ({ companyId, userId, codeHash: recoveryCodeHash(userId, code) }));
  await tx.insert(recoveryCodes).values(rows);
  return codes;
}

/** Ten codes of 80 random bits: `abcd-efgh-jkmn-pqrs`. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: codesGiven }, () => {
    const code = Array.from(randomBytes(16), (byte) => letters[byte % letters.length]).join('');
    return code.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/**
 * What is kept of a code: nobody searches through 80 random bits, and no two people's codes can be compared.
 * @param code as a person has typed it
 */
export function recoveryCodeHash(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${userId}:${plain}`).digest('hex');
}
