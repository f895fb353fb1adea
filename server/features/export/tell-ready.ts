import type { Config } from '#server/config/config.ts';
import type { Tx } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { ExportRow } from './exports.ts';

interface TellReadyDeps {
  sendMail: SendMail;
  config: Pick<Config, 'publicUrl'>;
}

export function createTellReady({ sendMail, config }: TellReadyDeps) {
  /** By mail, in the company's language; the link leads to the screen, since a mail is no sign-in. */
  return async function tellReady(
    tx: Tx,
    { companyId, startedBy, personId }: ExportRow,
    expiresAt: Date,
  ): Promise<void> {
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.companyId, companyId), eq(users.id, startedBy)));
    if (user?.state !== 'active') return;
    const isOwn = personId !== null;
    const url = `${config.publicUrl}${isOwn ? '/account/data' : '/admin/settings/data'}`;
    await sendMail(tx, {
      to: user.email,
      companyId,
      words: (texts, name) => {
        const at = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
        const until = `${expiresAt.toLocaleString(texts.locale, at)} UTC`;
        return texts.exportReady(name, { isOwn, until, url });
      },
    });
  };
}
