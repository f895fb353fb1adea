import { afterAll, beforeAll, expect, test } from 'vitest';
import { entitlementsOf } from '#contract/entitlements.ts';
import type { Role } from '#contract/permissions.ts';
import { createLimits } from '#server/calls/limits.ts';
import { eq } from '#server/db/drizzle.ts';
import { rateLimits, users } from '#server/db/schema.ts';
import { goodPassword, insertUser, uniqueEmail } from '#server/testing/factories.ts';
import fc from '#server/testing/fast-check.ts';
import { here, startTestIdentity, type TestIdentity } from '#server/testing/identity.ts';
import { createTeam, type Team } from './team.ts';

const day = 86_400_000;
const seats = 3;
let subject: TestIdentity;
let team: Team;
beforeAll(async () => {
  subject = await startTestIdentity();
  team = newTeam(10_000);
});
afterAll(() => subject.close());

function newTeam(invitationsPerHour: number, clock?: () => number): Team {
  const { db, jobs, people, now } = subject;
  const rates = { ...noRates, invitationsPerHour };
  return createTeam({
    db,
    jobs,
    limits: createLimits(db, clock),
    people,
    sendMail: async () => {},
    seatsOf: async () => seats,
    hasPaid: async () => true,
    accessChanged: async () => {},
    config: { publicUrl: 'http://footnote.test', rates },
    clock: now,
  });
}

const noRates = {
  uploadsPerMinute: 1,
  signUpsPerHour: 1,
  signInsPerAddress: 1,
  signInsPerAccount: 1,
  resetsPerHour: 1,
  codesPerAddress: 1,
  refreshesPerMinute: 1,
  appRegistrationsPerHour: 1,
  appRequestsPerMinute: 1,
};

/** A company of one admin, with as many seats as every company here. */
async function newAdmin() {
  const { companyId, uid: userId, email } = await subject.newCompany();
  const entitlements = entitlementsOf(nothingPaid, new Date(), 'off');
  const role: Role = 'admin';
  return { companyId, userId, email, role, entitlements, authenticatedAt: new Date(), ip: here.ip };
}

const nothingPaid = { state: 'none', plan: null, currentPeriodEnd: null, pastDueSince: null } as const;

async function peopleOf(companyId: string) {
  return subject.db.asCompany(companyId, (tx) => tx.select().from(users));
}

// What can be done to one of five people; several of these at once make a step.
const person = fc.nat({ max: 4 });
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('invite' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resend' as const), person }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('accept' as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), person }) },
);
const steps = fc.array(fc.array(deed, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });

const everyone = [0, 1, 2, 3, 4];
/** Walked first: it comes to all that matters, whatever the others do. */
const example: typeof steps extends fc.Arbitrary<infer T> ? T : never = [
  everyone.map((each) => ({ do: 'invite', person: each })),
  everyone.map((each) => ({ do: 'accept', person: each })),
];

const refusals = ['seats-used-up', 'already-in-team', 'user-not-found', 'not-invited', 'invalid-code', 'unavailable'];

test('people and open invitations are never more than the seats, whatever happens at once', async () => {
  let accepted = 0;
  let full = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const admin = await newAdmin();
      const emails = Array.from({ length: 5 }, () => uniqueEmail());
      for (const step of given) {
        // What is known before the step, as a screen would: it may be out of date when the deed is done.
        const known = new Map((await peopleOf(admin.companyId)).map(({ email, id }) => [email, id]));
        const ended = await Promise.allSettled(
          step.map(async (each) => {
            const email = emails[each.person] ?? '';
            const uid = known.get(email) ?? '00000000-0000-4000-8000-000000000000';
            if (each.do === 'invite') await team.invite(admin, { email });
            else if (each.do === 'resend') await team.resend(admin, uid);
            else if (each.do === 'withdraw') await team.withdraw(admin, uid);
            else if (each.do === 'remove') await team.remove(admin, uid);
            else if (each.do === 'expire') subject.pass(4 * day);
            else {
              const { code: oobCode } = await subject.people.inviteCode({ companyId: admin.companyId, uid });
              await subject.identity.confirmPasswordReset({ oobCode, newPassword: goodPassword }, here);
              accepted += 1;
            }
          }),
        );
        for (const each of ended) {
          if (each.status === 'fulfilled') continue;
          expect(refusals).toContain(each.reason.code);
          if (each.reason.code === 'seats-used-up') full += 1;
        }
        const now = subject.now();
        const taken = (await peopleOf(admin.companyId)).filter(
          ({ state, invitationExpiresAt }) => state === 'active' || (invitationExpiresAt && invitationExpiresAt > now),
        );
        expect(taken.length).toBeLessThanOrEqual(seats);
      }
      // What is free can be taken.
      const used = (await team.list(admin)).filter(({ state }) => state !== 'expired').length;
      for (let i = used; i < seats; i += 1) await team.invite(admin, { email: uniqueEmail() });
      await expect(team.invite(admin, { email: uniqueEmail() })).rejects.toMatchObject({ code: 'seats-used-up' });
    }),
    { numRuns: 30, examples: [[example]] },
  );
  // The walks have been where it matters.
  expect(accepted).toBeGreaterThanOrEqual(seats - 1);
  expect(full).toBeGreaterThanOrEqual(everyone.length - (seats - 1));
}, 120_000);

test('an invitation that ends while it is accepted does not share its seat', async () => {
  const admin = await newAdmin();
  await insertUser(subject.db, admin.companyId);
  const { code: oobCode } = await subject.invite(admin.companyId);
  subject.pass(7 * day - 1000);
  const accepting = subject.identity.confirmPasswordReset({ oobCode, newPassword: goodPassword }, here).then(
    () => 'in',
    () => 'out',
  );
  subject.pass(1001);
  const inviting = team.invite(admin, { email: uniqueEmail() }).then(
    () => 'in',
    () => 'out',
  );
  expect((await Promise.all([accepting, inviting])).filter((each) => each === 'in')).toHaveLength(1);
});

test('an invitation whose time was over before it was mailed does not come back by being mailed', async () => {
  const admin = await newAdmin();
  await team.invite(admin, { email: uniqueEmail() });
  const invited = (await peopleOf(admin.companyId)).find(({ state }) => state === 'invited');
  subject.pass(8 * day);
  const uid = invited?.id ?? '';
  const late = subject.people.inviteCode({ companyId: admin.companyId, uid });
  await expect(late).rejects.toMatchObject({ code: 'not-invited' });
  expect((await team.list(admin)).map(({ state }) => state).sort()).toEqual(['active', 'expired']);
});

test('invitations have a limit per company, and per address', async () => {
  const limited = newTeam(12, () => 0);
  const admin = await newAdmin();
  const email = uniqueEmail();
  const tooMany = { code: 'too-many-requests', details: { retryAfterSeconds: 3600 } };
  for (let i = 0; i < 10; i += 1) await limited.invite(admin, { email });
  await expect(limited.invite(admin, { email })).rejects.toMatchObject(tooMany);
  await limited.invite(admin, { email: uniqueEmail() });
  await expect(limited.invite(admin, { email: uniqueEmail() })).rejects.toMatchObject(tooMany);
  await limited.invite(await newAdmin(), { email: uniqueEmail() });
});

test('of many, all are refused at once that come behind the last that the hour has, and each is told so', async () => {
  const limited = newTeam(12, () => 0);
  const admin = await newAdmin();
  const emails = Array.from({ length: 40 }, () => uniqueEmail());
  const written = [...emails.slice(0, 38), 'nonsense', ...emails.slice(38)];
  const { results } = await limited.inviteMany(admin, { emails: written, signal: new AbortController().signal });
  expect(results.map(({ email }) => email)).toEqual(written);
  expect(results.filter(({ invited }) => invited)).toHaveLength(seats - 1);
  const message = 'Too many requests. Please wait a moment and try again.';
  const refused = results.slice(12).filter(({ email }) => email !== 'nonsense');
  for (const each of refused) expect(each).toMatchObject({ invited: false, message });
  expect(results.at(-3)).toMatchObject({ invited: false, message: 'Please enter a valid email address.' });
  // The thirteenth was asked for, and nobody behind it.
  const counted = await subject.db.asSystem((tx) =>
    tx
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, `invite:company:${admin.companyId}`)),
  );
  expect(counted).toMatchObject([{ count: 13 }]);
});
