import { describe, expect, test } from 'vitest';
import { entitlementsOf, type Subscription, type SubscriptionState, subscriptionStates } from './entitlements.ts';
import { AppError } from './errors.ts';
import { mayAccess, requireFeature } from './permissions.ts';
import { features, planNames, plans, planWith } from './plans.ts';

const now = new Date('2026-06-15T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

function subscription(state: SubscriptionState, more: Partial<Subscription> = {}): Subscription {
  return { state, plan: 'professional', currentPeriodEnd: null, pastDueSince: null, ...more };
}

describe('entitlements', () => {
  const open = { chat: true, upload: true, invite: true, notice: null };
  const overdue = { chat: true, upload: true, invite: true, notice: 'payment-overdue' };
  const shut = { chat: false, upload: false, invite: false, notice: 'subscription-inactive' };

  test.each([
    ['none', {}, shut],
    ['incomplete', {}, shut],
    ['incomplete_expired', {}, shut],
    ['trialing', {}, open],
    ['active', {}, open],
    ['past_due', { pastDueSince: now }, overdue],
    ['past_due', { pastDueSince: daysAgo(13.99) }, overdue],
    ['past_due', { pastDueSince: daysAgo(14) }, shut],
    ['past_due', { pastDueSince: null }, overdue],
    ['unpaid', {}, shut],
    ['paused', {}, shut],
    ['canceled', { currentPeriodEnd: daysAgo(-1) }, open],
    ['canceled', { currentPeriodEnd: now }, shut],
    ['canceled', { currentPeriodEnd: null }, shut],
  ] as const)('%s %j', (state, more, expected) => {
    expect(entitlementsOf(subscription(state, more), now, 'stripe')).toMatchObject(expected);
  });

  test('come from the plan', () => {
    for (const plan of planNames) {
      const { seats, features: granted } = entitlementsOf(subscription('active', { plan }), now, 'stripe');
      expect({ seats, granted }).toEqual({ seats: plans[plan].seats, granted: plans[plan].features });
    }
  });

  test('are all on without payment, whatever the subscription says', () => {
    for (const state of subscriptionStates) {
      const all = entitlementsOf(subscription(state, { plan: null }), now, 'off');
      expect(all).toEqual({ ...open, seats: null, features });
    }
  });
});

describe('permissions', () => {
  test.each([
    [null, 'anyone', true],
    [null, 'member', false],
    [null, 'admin', false],
    ['member', 'anyone', true],
    ['member', 'member', true],
    ['member', 'admin', false],
    ['admin', 'anyone', true],
    ['admin', 'member', true],
    ['admin', 'admin', true],
  ] as const)('%s on a call for %s: %s', (role, access, may) => {
    expect(mayAccess(role, access)).toBe(may);
  });

  test('a feature outside the plan names the plan that has it', () => {
    const basic = entitlementsOf(subscription('active', { plan: 'basic' }), now, 'stripe');
    expect(() => requireFeature(basic, 'ask')).not.toThrow();
    expect(() => requireFeature(basic, 'api-keys')).toThrow(
      expect.objectContaining({ code: 'feature-not-in-plan', details: { plan: 'professional' } }),
    );
    expect(planWith('audit-log')).toBe('enterprise');
  });

  test('an inactive subscription shuts asking, uploading and inviting', () => {
    const none = entitlementsOf(subscription('unpaid', { plan: 'enterprise' }), now, 'stripe');
    for (const feature of features.filter((each) => each !== 'team-management')) {
      expect(() => requireFeature(none, feature)).toThrow(new AppError('subscription-required'));
    }
    expect(() => requireFeature(none, 'team-management')).not.toThrow();
  });

  test('every plan has the features of the smaller ones', () => {
    for (const [index, name] of planNames.entries()) {
      for (const smaller of planNames.slice(0, index)) {
        expect(plans[name].features).toEqual(expect.arrayContaining([...plans[smaller].features]));
      }
    }
  });
});
