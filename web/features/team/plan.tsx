import { useSession } from '#web/api/session.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { Locked } from '#web/ui/Locked.tsx';
import { words } from './words.ts';

const reasonId = 'team-tools-locked';

/** Whether the plan has roles, inviting many and last sign-ins; where not, `reasonId` is where the page says so. */
export function useTeamTools(): { unlocked: boolean; reasonId: string } {
  const session = useSession();
  const features = session.state === 'signed-in' ? session.session.entitlements.features : [];
  return { unlocked: features.includes('team-management'), reasonId };
}

/** Says once on the page what is locked, and which plan has it. */
export function TeamToolsLocked() {
  const { unlocked } = useTeamTools();
  if (unlocked) return null;
  return (
    <Locked id={reasonId}>
      {words.lockedBefore} {planNameWith('team-management')} {words.lockedAfter} <PlansLink>{words.seePlans}</PlansLink>
    </Locked>
  );
}
