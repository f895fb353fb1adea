import type { Limits } from '#server/calls/limits.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, type users } from '#server/db/schema.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import { agentName } from './agent-name.ts';
import type { createDevices } from './devices.ts';
import type { Place } from './session-records.ts';

/** More in an hour would only annoy, as where a program signs in again and again. */
const mailsPerHour = 5;

type User = typeof users.$inferSelect;

/** Tells people that somebody has signed in as them in a browser where they have not been before. */
export function createSignInMails(deps: {
  devices: Pick<ReturnType<typeof createDevices>, 'idOf'>;
  limits: Pick<Limits, 'take'>;
  sendMail: SendMail;
}) {
  const { devices, limits, sendMail } = deps;
  return {
    async isWanted({ id, email, signInMails }: User, { device }: { device?: string | undefined }): Promise<boolean> {
      if (!signInMails || devices.idOf(email, device) !== null) return false;
      return limits.take(`sign-in-mail:${id}`, mailsPerHour, 3600).then(
        () => true,
        () => false,
      );
    },

    async send(tx: Tx, { companyId, email: to }: User, { place, at }: { place: Place; at: Date }): Promise<void> {
      const [company] = await tx
        .select({ timeZone: companies.timeZone })
        .from(companies)
        .where(eq(companies.id, companyId));
      const timeZone = company?.timeZone ?? 'UTC';
      const [agent, address] = [agentName(place.agent), place.ip];
      await sendMail(tx, {
        to,
        companyId,
        words: (texts, name) => {
          const format = new Intl.DateTimeFormat(texts.locale, { dateStyle: 'long', timeStyle: 'long', timeZone });
          return texts.newSignIn(name, { agent, address, time: format.format(at) });
        },
      });
    },
  };
}
