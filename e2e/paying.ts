import { expect, type Page } from '@playwright/test';
import { createClient } from '#client/client.ts';
import type { RunningApp } from './app.ts';
import { enter } from './test.ts';
import { textAt } from './texts.ts';

/** The provider's documented test cards. */
export const cards = {
  pays: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  failsLater: '4000 0000 0000 0341',
  asksTheBank: '4000 0025 0000 3155',
} as const;

export interface Account {
  email: string;
  password: string;
}

/** Signs a new company up by the form, from the price on. Leaves it to the caller where that leads. */
export async function signUp(page: Page, priceId: string): Promise<Account> {
  const account = newAccount();
  await page.goto(`/signup?priceId=${priceId}`);
  await page.getByLabel('Company name').fill('Nordwind Logistics');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('button', { name: textAt('signup.submit') }).click();
  return account;
}

function newAccount(): Account {
  return { email: `admin-${crypto.randomUUID()}@nordwind.example`, password: 'walk the long pier at dawn' };
}

/** Types a card into the hosted page that is open, and sends it. */
export async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry month').fill('12');
  await page.getByLabel('Expiry year').fill('2044');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Mara Lindqvist');
  await page.getByRole('button', { name: /^(Subscribe|Pay|Change card)$/ }).click();
}

/** A company that has signed up and paid, past the forms; its admin stands on the success screen. */
export async function subscribe(page: Page, priceId: string, card: string = cards.pays): Promise<Account> {
  const account = newAccount();
  const { checkout } = await enter(page, 'signUp', { companyName: 'Nordwind Logistics', ...account, priceId });
  if (!checkout) throw new Error('there is no page to pay on');
  await payOutside(checkout.url, card);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: textAt('success.heading') })).toBeVisible();
  return account;
}

export async function onHostedPage(page: Page): Promise<void> {
  await page.waitForURL(/\/c\/pay\//);
}

/** Sends what the hosted page's form would send, without a browser. */
export async function payOutside(url: string, card: string = cards.pays): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      card_number: card,
      exp_month: '12',
      exp_year: '2044',
      cvc: '123',
      name: 'Mara Lindqvist',
      email: 'mara@nordwind.example',
    }),
  });
  expect(reply.status).toBe(303);
}

/** The payment simulator that runs with the app. */
export async function simulatorOf(app: RunningApp): Promise<{
  /** Lets days go by there. */
  advance(days: number): Promise<void>;
  /** The next so many requests to its API whose path starts so fail. */
  refuse(path: string, times: number): Promise<void>;
  /** From now on the app is told of everything so many milliseconds late. */
  tellLate(byMs: number): Promise<void>;
}> {
  const { checkout } = await createClient(app.url).call('signUp', {
    companyName: 'Where Is The Simulator',
    email: `nobody-${crypto.randomUUID()}@nordwind.example`,
    password: 'walk the long pier at dawn',
    priceId: 'basic_annual',
  });
  if (!checkout) throw new Error('the app has no payment page');
  const { origin } = new URL(checkout.url);
  const control = async (path: string, body: object) => {
    const reply = await fetch(`${origin}/_control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`the simulator refused ${path}: ${await reply.text()}`);
  };
  return {
    advance: (days) => control('clock', { advanceDays: days }),
    refuse: (path, times) => control('faults', times === 0 ? {} : { api: { path, times } }),
    tellLate: (delayEventsMs) => control('faults', { delayEventsMs }),
  };
}
