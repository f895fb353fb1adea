import { useQuery } from '@tanstack/react-query';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { analyticsQuery, analyticsSettingsQuery } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { collectionsQuery } from '#web/api/collections.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { CollectionFilter } from '#web/features/analytics/CollectionFilter.tsx';
import { CsvButton } from '#web/features/analytics/CsvButton.tsx';
import { DaysChart } from '#web/features/analytics/DaysChart.tsx';
import { FeedbackList } from '#web/features/analytics/FeedbackList.tsx';
import { HoursChart } from '#web/features/analytics/HoursChart.tsx';
import { MonthlyReport } from '#web/features/analytics/MonthlyReport.tsx';
import { Numbers } from '#web/features/analytics/Numbers.tsx';
import { OnlyPerson, People } from '#web/features/analytics/People.tsx';
import { RangeBar } from '#web/features/analytics/RangeBar.tsx';
import { countDays, formatDate, lookedAt, todayIn } from '#web/features/analytics/range.ts';
import { CitedDocuments, KeysUsed, TopQuestions } from '#web/features/analytics/Tables.tsx';
import { UnansweredQuestions } from '#web/features/analytics/UnansweredQuestions.tsx';
import { words } from '#web/features/analytics/words.ts';
import { hasBegun } from '#web/features/billing/paying.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { useAddress } from '#web/lib/address.ts';
import { planNameWith } from '#web/lib/price.ts';
import { useTitle } from '#web/lib/title.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Section } from '#web/ui/Section.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import page from './Admin.module.css';

/** What people ask, what is answered and from which documents. */
export function AnalyticsPage() {
  const session = useSession();
  useTitle(messages.admin.analytics);
  const settings = useQuery(analyticsSettingsQuery);
  // The choice of one of them stands above all others, and would move them. It asks again for what has failed: to wait
  // for that, too, would take it away, so that it came and asked without end.
  const { isFetched: hasCollections } = useQuery(collectionsQuery);
  if (session.state !== 'signed-in') return null;
  if (settings.isError)
    return (
      <>
        <h1 className={page.heading}>{messages.admin.analytics}</h1>
        <Failed error={settings.error} onRetry={() => void settings.refetch()} />
      </>
    );
  // Where the days begin has to be known before any can be asked for.
  if (!settings.data || !hasCollections)
    return (
      <>
        <h1 className={page.heading}>{messages.admin.analytics}</h1>
        <LoadingPart shape="lines" />
      </>
    );
  return <Analytics session={session.session} timeZone={settings.data.timeZone} />;
}

function Analytics({ session: { company, entitlements }, timeZone }: { session: Session; timeZone: string }) {
  const [search, setSearch] = useAddress();
  const today = todayIn(timeZone);
  const looked = lookedAt(search, today);
  const isFull = entitlements.features.includes('usage-analytics');
  const hasCollections = entitlements.features.includes('collections');
  const { days, userId, collectionId } = looked;
  const range = {
    ...days,
    ...(isFull && userId !== undefined && { userId }),
    ...(hasCollections && collectionId !== undefined && { collectionId }),
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(analyticsQuery(range));
  const look = (change: Record<string, string>) => {
    const kept = [...search].filter(([name]) => name === 'person' || name === 'collection');
    setSearch({ ...Object.fromEntries(kept), ...change }, { replace: true });
  };
  const lookAt = (of: 'person' | 'collection', id: string | null) => {
    const kept = Object.fromEntries([...search].filter(([name]) => name !== of));
    setSearch(id === null ? kept : { ...kept, [of]: id });
  };
  const csv = (table: Parameters<typeof CsvButton>[0]['table'], of: string) =>
    isFull && <CsvButton table={table} range={range} of={of} />;
  return (
    <>
      <header className={page.top}>
        <div className={page.welcome}>
          <h1 className={page.heading}>{messages.admin.analytics}</h1>
          <p className={page.sub}>
            {company.name} · {formatDate(days.from)} – {formatDate(days.to)}
          </p>
        </div>
        <RangeBar looked={looked} today={today} onChange={(change) => look({ ...change })} />
      </header>
      {isFull && userId !== undefined && (
        <OnlyPerson range={range} userId={userId} onEveryone={() => lookAt('person', null)} />
      )}
      {hasCollections && (
        <CollectionFilter chosen={collectionId ?? ''} onChoose={(id) => lookAt('collection', id || null)} />
      )}
      <SlowNotice waiting={isPending || isPlaceholderData} />
      {error && !data ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy={isPlaceholderData}>
          <Numbers data={data} dayCount={countDays(days)} />
          {/* Below figures and lists of unknown height: once those are there, or they would be moved by them. */}
          {!data ? (
            <LoadingPart shape="lines" />
          ) : (
            <>
              <Section heading={words.howMuch} tool={csv('days', words.theDays)}>
                <DaysChart perDay={data.perDay} />
              </Section>
              <Section heading={words.notInDocuments} tool={csv('unanswered', words.theUnanswered)}>
                <UnansweredQuestions data={data} />
              </Section>
              <Section heading={words.askedMost} tool={csv('questions', words.theQuestions)}>
                <TopQuestions data={data} />
              </Section>
              {isFull ? (
                <>
                  <Section heading={words.carryAnswers} tool={csv('documents', words.theDocuments)}>
                    <CitedDocuments data={data} />
                  </Section>
                  <Section heading={words.didHelp} tool={csv('feedback', words.theRatings)}>
                    <FeedbackList range={range} />
                  </Section>
                  <Section heading={words.when} tool={csv('hours', words.theHours)}>
                    <HoursChart hours={data.hours ?? []} />
                  </Section>
                  {data.showNames && userId === undefined && range.collectionId === undefined && (
                    <Section heading={words.whoAsks} tool={csv('people', words.thePeople)}>
                      <People range={range} onChoose={({ userId: who }) => lookAt('person', who)} />
                    </Section>
                  )}
                  {data.keys && data.keys.length > 0 && (
                    <Section heading={words.whichKeys}>
                      <KeysUsed keys={data.keys} />
                    </Section>
                  )}
                  <Section heading={words.monthlyReport}>
                    <MonthlyReport />
                  </Section>
                </>
              ) : (
                <Locked isLast>
                  {words.lockedBefore} {planNameWith('usage-analytics')} {words.lockedAfter}{' '}
                  <PlansLink>{words.seePlans}</PlansLink>
                </Locked>
              )}
            </>
          )}
        </div>
      )}
    </>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const session = useSession();
  const wasPaid = session.state === 'signed-in' && hasBegun(session.session.subscription.state);
  // To try again would help nobody.
  if (error instanceof AppError && error.code === 'subscription-required')
    return (
      <EmptyState>
        {wasPaid ? words.waitsForPlan : words.beginsWithPlan} <PlansLink>{words.seePlans}</PlansLink>
      </EmptyState>
    );
  return <LoadFailed retry={onRetry}>{messageOf(error, words.notLoaded)}</LoadFailed>;
}
