import type { Entitlements } from './entitlements.ts';
import { AppError } from './errors.ts';
import { type Feature, planWith } from './plans.ts';

export const roles = ['admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Who may make a call: anyone, any signed-in person, or admins. */
export type Access = 'anyone' | 'member' | 'admin';

/** Whether a person of this role (null: nobody is signed in) passes. */
export function mayAccess(role: Role | null, access: Access): boolean {
  return access === 'anyone' || (role !== null && (access === 'member' || role === 'admin'));
}

/**
 * Keeps everybody out of a company that ends, but for what a call lets them do nevertheless.
 * @throws AppError `company-ending`
 */
export function requireOpenCompany(
  { role, companyEndsAt }: { role: Role; companyEndsAt?: Date | null },
  whileEnding?: 'member' | 'admin',
): void {
  if (!companyEndsAt || (whileEnding !== undefined && mayAccess(role, whileEnding))) return;
  throw new AppError('company-ending', { details: { endsAt: companyEndsAt.toISOString() } });
}

/**
 * Checks the plan and the state of the subscription.
 * @throws AppError `subscription-required` or `feature-not-in-plan` (details.plan names the plan that has it).
 */
export function requireFeature(entitlements: Entitlements, feature: Feature): void {
  if (!isOpen(entitlements, feature)) throw new AppError('subscription-required');
  if (!entitlements.features.includes(feature)) {
    throw new AppError('feature-not-in-plan', { details: { plan: planWith(feature) } });
  }
}

function isOpen({ upload, invite, chat }: Entitlements, feature: Feature): boolean {
  if (feature === 'upload') return upload;
  if (feature === 'invite') return invite;
  // Changing roles is always possible, paid or not, in a plan that has roles.
  return feature === 'team-management' || chat;
}
