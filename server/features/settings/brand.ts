import type { FastifyInstance } from 'fastify';
import type { Branding } from '#contract/calls/identity.ts';
import { type BrandHosts, originOf } from '#server/config/brand-hosts.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { companies, companyBrands } from '#server/db/schema.ts';
import { nameInMail } from '#server/features/identity/company-name.ts';
import type { Voice } from '#server/features/mail/mail.ts';
import { isUuid } from '#server/lib/is-uuid.ts';

type Row = Pick<typeof companyBrands.$inferSelect, 'name' | 'accent' | 'logoHash'>;

const shown = { name: companyBrands.name, accent: companyBrands.accent, logoHash: companyBrands.logoHash };

export async function brandRow(tx: Tx, companyId: string): Promise<Row> {
  const [row] = await tx.select(shown).from(companyBrands).where(eq(companyBrands.companyId, companyId));
  return row ?? { name: null, accent: null, logoHash: null };
}

/** Its hash is in it, so that a new logo has a new address. */
export function logoPath(companyId: string, hash: string): string {
  return `/brand/${companyId}/${hash}.png`;
}

/**
 * The operator's brand, with what a company has put in its place.
 * @param isAllowed its plan has white-label: without it what was set stays, and is not shown
 */
export async function companyBranding(
  tx: Tx,
  companyId: string,
  operator: Branding,
  isAllowed: boolean,
): Promise<Branding> {
  if (!isAllowed) return operator;
  const { name, accent, logoHash } = await brandRow(tx, companyId);
  return {
    ...operator,
    ...(name !== null && { name }),
    // Another's logo beside one's own name would be wrong, but not the other way round.
    ...(name !== null && { logoUrl: undefined }),
    ...(logoHash !== null && { logoUrl: logoPath(companyId, logoHash) }),
    ...(accent !== null && { accent }),
  };
}

/**
 * In what and under which name, logo and address a company's people are mailed. A mail has no page that an address is
 * below.
 */
export async function voiceOf(
  tx: Tx,
  companyId: string,
  {
    operator,
    publicUrl,
    brandHosts,
    isAllowed,
  }: { operator: Branding; publicUrl: string; brandHosts: BrandHosts; isAllowed: boolean },
): Promise<Voice> {
  const [company] = await tx
    .select({ language: companies.mailLanguage })
    .from(companies)
    .where(eq(companies.id, companyId));
  const { name, logoUrl } = await companyBranding(tx, companyId, operator, isAllowed);
  const language = company?.language ?? 'en';
  const [host] = [...brandHosts].find(([, id]) => id === companyId) ?? [];
  const origin = host === undefined || !isAllowed ? publicUrl : originOf(host, publicUrl);
  const inMails = nameInMail(name) ?? operator.name;
  return { language, origin, brand: { name: inMails, logoUrl: logoUrl?.startsWith('/') ? origin + logoUrl : logoUrl } };
}

/**
 * `GET /brand/<companyId>/<hash>.png`: a logo, which mails show to whoever gets them. Its address can't be guessed, and
 * what is behind it never changes.
 */
export function mountLogos(server: FastifyInstance, db: Database): void {
  server.get<{ Params: { companyId: string; file: string } }>('/brand/:companyId/:file', async (request, reply) => {
    const { companyId, file } = request.params;
    const [, hash] = /^([0-9a-f]{32})\.png$/.exec(file) ?? [];
    const [row] =
      hash === undefined || !isUuid(companyId)
        ? []
        : await db.asCompany(companyId, (tx) =>
            tx
              .select({ logo: companyBrands.logo })
              .from(companyBrands)
              .where(and(eq(companyBrands.companyId, companyId), eq(companyBrands.logoHash, hash))),
          );
    if (!row?.logo) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such picture.');
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(row.logo);
  });
}
