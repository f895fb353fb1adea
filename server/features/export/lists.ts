import { wholeCompany } from '#server/db/audience.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { seesAll } from '#server/db/schema.ts';
import { byTime, type Line, paged } from './rows.ts';

/** The documents of an export, each with its versions and where their originals lie in the zip. */
export function documentLines(db: Database, companyId: string, exportId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`d.created_at`, sql`d.id`, after);
    return sql`
      select ${place} as place, json_build_object(
        'documentId', d.id, 'name', d.name, 'createdAt', d.created_at, 'tags', d.tags,
        'attachedTo', d.parent_id, 'collectionId', coalesce(d.collection_id, d.company_id),
        'currentVersion', d.current_version,
        'versions', (
          select json_agg(json_build_object(
            'version', v.version, 'path', e.path, 'state', v.state, 'reason', v.reason, 'pages', v.pages,
            'mediaType', v.media_type, 'size', v.size, 'sha256', v.sha256, 'uploadedAt', v.uploaded_at,
            'uploadedBy', (select u.email from users u where u.company_id = v.company_id and u.id = v.uploaded_by),
            'uploadedByKey', (select k.name from api_keys k where k.company_id = v.company_id and k.id = v.uploaded_by)
          ) order by v.version)
          from versions v join export_entries e on e.company_id = v.company_id and e.export_id = ${exportId}
            and e.document_id = v.document_id and e.version = v.version
          where v.company_id = d.company_id and v.document_id = d.id)) as line
      from documents d
      where ${behind} and d.deleted_at is null and exists (
        select 1 from export_entries e
        where e.company_id = d.company_id and e.export_id = ${exportId} and e.document_id = d.id)
      order by ${order} limit ${limit}`;
  });
}

/**
 * Questions with their answers, what these cite, and how they were rated.
 * @param of whose alone; absent: everybody's
 * @param of.showNames whether it is said who asked
 */
export function questionLines(
  db: Database,
  companyId: string,
  of: { personId: string } | { showNames: boolean },
): AsyncGenerator<Line> {
  // A person's own: as far as they see what the answers were made of.
  const reader = 'personId' in of ? { companyId, userId: of.personId } : wholeCompany(companyId);
  const own = 'personId' in of ? sql`q.user_id = ${of.personId}` : sql`true`;
  const person =
    'showNames' in of && of.showNames
      ? sql`json_build_object('uid', q.user_id, 'email',
          (select u.email from users u where u.company_id = q.company_id and u.id = q.user_id))`
      : sql`null::json`;
  return paged(db, reader, (after, limit) => {
    const { place, behind, order } = byTime(sql`q.created_at`, sql`q.id`, after);
    return sql`
      select ${place} as place, json_strip_nulls(json_build_object(
        'queryId', q.id, 'askedAt', q.created_at, 'person', ${person},
        'question', q.question, 'answered', q.answered, 'answer', q.answer, 'notice', q.notice, 'model', q.model,
        'rating', q.rating, 'ratingReason', q.rating_reason, 'ratedAt', q.rated_at, 'durationMs', q.duration_ms,
        'sources', coalesce((
          select json_agg(json_build_object(
            'n', c.n, 'documentId', c.document_id, 'version', c.version, 'name', d.name, 'page', c.page,
            'quote', c.quote, 'start', c.start, 'end', c."end") order by c.n)
          from citations c
          left join documents d on d.company_id = c.company_id and d.id = c.document_id and d.deleted_at is null
          where c.company_id = q.company_id and c.query_id = q.id), '[]'::json))) as line
      from queries q where ${behind} and ${own} order by ${order} limit ${limit}`;
  });
}

/** The collections beside the company's own, each with those whom it is for where it is not for everyone. */
export function collectionLines(db: Database, companyId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`c.created_at`, sql`c.id`, after);
    const whom = (table: 'people' | 'groups', id: 'user_id' | 'group_id') => sql`coalesce((
      select json_agg(w.${sql.raw(id)} order by w.${sql.raw(id)}) from collection_${sql.raw(table)} w
      where w.company_id = c.company_id and w.collection_id = c.id), '[]'::json)`;
    return sql`
      select ${place} as place, json_build_object(
        'collectionId', c.id, 'name', c.name, 'access', c.access, 'createdAt', c.created_at,
        'userIds', ${whom('people', 'user_id')}, 'groupIds', ${whom('groups', 'group_id')}) as line
      from collections c where ${behind} order by ${order} limit ${limit}`;
  });
}

/** The groups with their people. */
export function groupLines(db: Database, companyId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`g.created_at`, sql`g.id`, after);
    return sql`
      select ${place} as place, json_build_object(
        'groupId', g.id, 'name', g.name, 'createdAt', g.created_at, 'userIds', coalesce((
          select json_agg(m.user_id order by m.user_id) from group_members m
          where m.company_id = g.company_id and m.group_id = g.id), '[]'::json)) as line
      from groups g where ${behind} order by ${order} limit ${limit}`;
  });
}

/** Everybody who is in the company or invited to it. */
export function peopleLines(db: Database, companyId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const { place, behind, order } = byTime(sql`u.created_at`, sql`u.id`, after);
    return sql`
      select ${place} as place, json_build_object(
        'uid', u.id, 'email', u.email, 'displayName', u.display_name, 'role', u.role, 'state', u.state,
        'createdAt', u.created_at, 'lastSignInAt', u.last_sign_in_at, 'emailConfirmedAt', u.email_confirmed_at,
        'invitedAt', u.invited_at) as line
      from users u where ${behind} order by ${order} limit ${limit}`;
  });
}

/**
 * The audit log in the order of its chain; what is not sealed yet comes last.
 * @param personId what this person did alone
 */
export function auditLines(db: Database, companyId: string, personId?: string): AsyncGenerator<Line> {
  const own = personId === undefined ? sql`true` : sql`a.actor_id = ${personId}`;
  const sequence = sql`coalesce(a.sequence, ${Number.MAX_SAFE_INTEGER}::bigint)`;
  const reader = personId === undefined ? wholeCompany(companyId) : { companyId, userId: personId };
  // What somebody has opened once has no name any more where they see it no longer.
  const isUnseen = sql`a.action = 'file-opened' and not (${seesAll})
    and not exists (select from documents d where d.company_id = a.company_id and d.name = a.target)`;
  return paged(db, reader, (after, limit) => {
    const [last, at, id] = after ?? [];
    const isBehind = sql`(${sequence}, a.at, a.id) > (${last}::bigint, ${at}::timestamptz, ${id}::uuid)`;
    return sql`
      select array[${sequence}::text, a.at::text, a.id::text] as place, row_to_json(a)::jsonb - 'company_id' - (case when ${isUnseen} then 'target' else '' end) as line
      from audit_events a where ${after === null ? sql`true` : isBehind} and ${own}
      order by ${sequence}, a.at, a.id limit ${limit}`;
  });
}

/** Where a person is signed in. */
export function sessionLines(db: Database, companyId: string, personId: string): AsyncGenerator<Line> {
  return paged(db, wholeCompany(companyId), (after, limit) => {
    const [created, id] = after ?? [];
    const isBehind = sql`(s.created_at, s.id) > (${created}::timestamptz, ${id})`;
    return sql`
      select array[s.created_at::text, s.id] as place, json_build_object(
        'createdAt', s.created_at, 'seenAt', s.seen_at, 'endedAt', s.ended_at, 'address', s.address,
        'agent', s.agent, 'methods', s.methods) as line
      from sessions s where ${after === null ? sql`true` : isBehind} and s.user_id = ${personId}
      order by s.created_at, s.id limit ${limit}`;
  });
}
