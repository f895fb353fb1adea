import { chromium } from '@playwright/test';
import { startApp } from '../e2e/app.ts';
import { findBrowser } from '../e2e/browser.ts';
import { type Row, seconds } from './figures.ts';
import { email, type Hand, handOf, password, sample, text } from './hand.ts';
import { findWord, thirdSourceByKeyboard, thirdSourceByMouse } from './reading-tasks.ts';

interface Task {
  name: string;
  settings?: Record<string, string>;
  run: (hand: Hand) => Promise<void>;
}

const tasks: readonly Task[] = [
  { name: 'first answer from an empty server', run: firstAnswer },
  { name: 'open the third source and come back, by mouse', run: thirdSourceByMouse },
  { name: 'open the third source and come back, by keyboard', run: thirdSourceByKeyboard },
  { name: 'find a word on page 87 of a PDF of 100 pages', run: findWord },
  { name: 'upload 30 files with two broken ones, and mend them', run: thirtyFiles },
  { name: 'change the plan', settings: { BILLING: 'stripe' }, run: changePlan },
];

/** What usual tasks take: presses of the mouse, keys without the text that is typed, and time. */
export async function measureTasks(): Promise<Row[]> {
  const { executablePath, env } = await findBrowser();
  const rows: Row[] = [];
  for (const { name, settings = {}, run } of tasks) {
    const app = await startApp(settings);
    const browser = await chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage({ baseURL: app.url, viewport: { width: 1440, height: 900 } });
      const { hand, counted } = handOf(page);
      const started = performance.now();
      await run(hand);
      const { clicks, keys, typed } = counted;
      const took = seconds(performance.now() - started);
      rows.push([name, `${clicks} clicks, ${keys} keys, ${typed} characters typed, ${took}`, '']);
    } finally {
      await browser.close();
      await app.stop();
    }
  }
  return rows;
}

async function firstAnswer(hand: Hand): Promise<void> {
  const { page } = hand;
  await page.goto('/');
  await hand.click(page.getByRole('link', { name: 'Create yours.' }));
  await signUp(hand);
  await hand.click(page.getByRole('main').getByRole('button', { name: 'Upload Documents' }));
  await hand.choose(page.getByRole('button', { name: 'choose files' }), [sample('Travel policy 2026.pdf')]);
  await hand.click(page.getByRole('button', { name: 'Upload 1 file(s)' }));
  await page.getByText('1 document ready.').waitFor();
  await hand.type(page.getByPlaceholder('Type your message here...'), 'How much may a hotel in Berlin cost?');
  await hand.press('Enter');
  await page
    .getByRole('link', { name: /^Source 1: / })
    .first()
    .waitFor();
}

async function thirtyFiles(hand: Hand): Promise<void> {
  const { page } = hand;
  await page.request.post('/v1/signUp', { data: { data: { companyName: 'Nordwind', email, password } } });
  await page.goto('/admin/documents');
  const good = Array.from({ length: 28 }, (_, n) => text(`Note ${n + 1}.txt`, `The crane ${n + 1} has two arms.`));
  const program = text('Rules.txt', 'MZ\u0090\u0000\u0003\u0000\u0000\u0000');
  const pdf = text('Plan.pdf', '%PDF-1.4\nnothing that could be read');
  await hand.click(page.getByRole('button', { name: 'Upload Documents' }));
  await hand.choose(page.getByRole('button', { name: 'choose files' }), [...good, program, pdf]);
  await hand.click(page.getByRole('button', { name: 'Upload 30 file(s)' }));
  // One is refused at once: its mended copy comes in its place.
  await page.getByRole('button', { name: 'Retry Rules.txt' }).waitFor();
  await hand.choose(page.getByRole('button', { name: 'choose files' }), [
    text('Rules.txt', 'The cranes rest on Sundays.'),
  ]);
  await hand.click(page.getByRole('button', { name: 'Upload 1 file(s)' }));
  // The other turns out to be broken when it is read.
  await hand.click(page.getByRole('link', { name: 'See why' }));
  await hand.choose(page.getByRole('button', { name: 'Replace Plan.pdf' }), [
    { ...sample('Customs guide.pdf'), name: 'Plan.pdf' },
  ]);
  await page.getByText('Nothing failed.').waitFor();
}

async function changePlan(hand: Hand): Promise<void> {
  const { page } = hand;
  const { result } = await (
    await page.request.post('/v1/signUp', {
      data: { data: { companyName: 'Nordwind', email, password, priceId: 'basic_annual' } },
    })
  ).json();
  await page.request.post(result.checkout.url, {
    form: { card_number: '4242424242424242', exp_month: '12', exp_year: '2044', cvc: '123', name: 'Mara', email },
  });
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Go to App' }).waitFor();
  await page.goto('/admin/dashboard');
  await hand.click(page.getByRole('link', { name: 'Basic plan' }));
  await hand.click(page.getByRole('button', { name: 'Choose Professional, annual' }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: /^Pay .* and change$/ }));
  await page.getByText('Your plan is now Professional, annual.').waitFor();
}

async function signUp(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.type(page.getByLabel('Company name'), 'Nordwind');
  await hand.press('Tab');
  await hand.type(page.getByLabel('Email'), email);
  await hand.press('Tab');
  await hand.type(page.getByLabel('Password', { exact: true }), password);
  await hand.press('Tab');
  await hand.press('Tab');
  await hand.type(page.getByLabel('Confirm password'), password);
  await hand.press('Enter');
  await page.waitForURL('**/chat');
}
