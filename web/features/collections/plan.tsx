import { useQuery } from '@tanstack/react-query';
import { type Collection, collectionsQuery } from '#web/api/collections.ts';
import { useSession } from '#web/api/session.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { Locked } from '#web/ui/Locked.tsx';
import { words } from './words.ts';

/** Whether the plan has collections and groups. */
export function useHasCollections(): boolean {
  const session = useSession();
  return session.state === 'signed-in' && session.session.entitlements.features.includes('collections');
}

/** Whether there is anything to move documents to. */
export function useCanMove(): boolean {
  const { data: collections = [] } = useQuery(collectionsQuery);
  return useTargets(collections).length > 1 || collections.some(({ access }) => access === 'restricted');
}

/** Those to which documents can be moved: without the plan, those that everyone sees. */
export function useTargets(collections: readonly Collection[]): readonly Collection[] {
  const isUnlocked = useHasCollections();
  return isUnlocked ? collections : collections.filter(({ access }) => access === 'everyone');
}

/**
 * Says that the plan has none, and which one has.
 * @param areThere there are some, of a plan that had them
 */
export function CollectionsLocked({ areThere = false }: { areThere?: boolean }) {
  if (useHasCollections()) return null;
  return (
    <Locked>
      {words.locked(planNameWith('collections'))} {areThere && `${words.lockedMeans} `}
      <PlansLink>{words.seePlans}</PlansLink>
    </Locked>
  );
}
