import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type AuditEvent, auditQuery } from '#web/api/audit.ts';
import { messageOf } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { useAddress } from '#web/lib/address.ts';
import { formatDay } from '#web/lib/format.ts';
import { planNameWith } from '#web/lib/price.ts';
import { Button } from '#web/ui/Button.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Email } from '#web/ui/Email.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Section } from '#web/ui/Section.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Audit.module.css';
import { ExportButtons } from './ExportButtons.tsx';
import { FilterFields } from './FilterFields.tsx';
import { readable } from './readable.ts';
import { wantedIn } from './wanted.ts';
import { actionName, viaNames, words } from './words.ts';

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const idOf = ({ id }: AuditEvent) => id;

/** Characters of what was changed; all of it is shown on pointing at it. */
const maxShown = 240;

/** Who did what, when, from where and by what means. */
export function AuditLog() {
  const session = useSession();
  const [search, setSearch] = useAddress();
  const wanted = useMemo(() => wantedIn(search), [search]);
  const log = useInfiniteQuery(auditQuery(wanted));
  const { data, error, hasNextPage, isFetching, fetchNextPage } = log;
  const events = useMemo(() => data?.pages.flatMap((page) => page.events) ?? [], [data]);
  // A search looks through so many events at a time: where it has found none yet, it goes on by itself.
  const goesOn = hasNextPage && !isFetching && !error && events.length === 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  if (session.state !== 'signed-in') return null;
  const isWhole = session.session.entitlements.features.includes('audit-log');
  const isFiltered = Object.keys(wanted).length > 0;
  const lockedBefore = data?.pages.at(-1)?.lockedBefore;
  return (
    <Section heading={words.title} tool={<ExportButtons wanted={wanted} />}>
      <p className={styles.lead}>
        {isWhole ? words.everything : words.last30} {words.byNumber}
      </p>
      <FilterFields wanted={wanted} isWhole={isWhole} onChange={(next) => setSearch(next, { replace: true })} />
      {error && <LoadFailed retry={log.refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>}
      <SlowNotice waiting={isFetching} />
      <DataTable
        label={words.title}
        columns={columns}
        rows={events}
        rowKey={idOf}
        tall
        loading={events.length === 0 && (isFetching || hasNextPage) ? words.loading : undefined}
        instead={isFiltered ? words.nothingLike : words.empty}
      />
      {events.length > 0 && hasNextPage && (
        <p className={styles.more}>
          <Button look="plain" pending={isFetching} onClick={() => void fetchNextPage()}>
            {isFetching ? words.loading : words.showOlder}
          </Button>
        </p>
      )}
      {/* Below rows of unknown number: once those are there, or it would be moved by them. */}
      {!isWhole && data && (
        <Locked isLast>
          {lockedBefore === undefined
            ? words.olderLocked(planNameWith('audit-log'))
            : words.beforeLocked(formatDay(lockedBefore), planNameWith('audit-log'))}
          <PlansLink>{words.seePlans}</PlansLink>
        </Locked>
      )}
    </Section>
  );
}

const columns = [
  {
    title: words.what,
    width: '22%',
    cell: ({ action }: AuditEvent) => <span className={styles.what}>{actionName(action)}</span>,
  },
  {
    title: words.who,
    width: '22%',
    cell: ({ email }: AuditEvent) => (
      <bdi className={styles.text} title={email}>
        {email === undefined ? words.nobody : <Email>{email}</Email>}
      </bdi>
    ),
  },
  { title: words.about, cell: (event: AuditEvent) => <About event={event} /> },
  {
    title: words.when,
    width: '116px',
    cell: ({ at }: AuditEvent) => (
      <time className={styles.small} dateTime={at}>
        {moment.format(new Date(at))}
      </time>
    ),
  },
  {
    title: words.from,
    width: '132px',
    cell: ({ address, via }: AuditEvent) => (
      <span className={styles.small}>
        {address === undefined ? words.service : <bdi>{address}</bdi>}
        {via !== undefined && via !== 'service' && <span className={styles.via}> {viaNames[via]}</span>}
      </span>
    ),
  },
];

/** What it was done to, and how: each by itself, since a name may run from right to left. */
function About({ event: { about, target = '' } }: { event: AuditEvent }) {
  const how = readable(about.slice(target.length).replace(/^, /, ''));
  return (
    <div className={styles.about} title={about}>
      {target !== '' && <bdi className={styles.text}>{target.includes('@') ? <Email>{target}</Email> : target}</bdi>}
      {how !== '' && (
        <bdi className={`${styles.text} ${styles.small}`}>
          {how.length > maxShown ? `${how.slice(0, maxShown)}…` : how}
        </bdi>
      )}
      {about === '' && <span className={styles.small}>–</span>}
    </div>
  );
}
