import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import decodeQR from 'qr/decode.js';
import { inspect, inspectBoth, noViolations, widths } from './inspect.ts';
import { expect, logOut, sees, signIn, test } from './test.ts';
import { textAt } from './texts.ts';

/** The code of this moment. */
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Sets up an authenticator app on the page; gives its secret and the recovery codes. */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = dialogOf(page, 'Set up an authenticator app');
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('Code that the app shows').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  const codes = dialogOf(page, 'Your recovery codes').getByRole('listitem');
  await expect(codes).toHaveCount(10);
  return { secret, codes: await codes.allInnerTexts() };
}

const keep = (page: Page) => page.getByRole('button', { name: 'I have saved them' }).click();

test('an authenticator app: set up by its picture, asked for at sign-in, changed by who confirms it', async ({
  admin,
}) => {
  const { page, email, password } = admin;
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = dialogOf(page, 'Set up an authenticator app');
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  // What a camera would see.
  const picture = dialog.getByRole('img', { name: 'QR code for your authenticator app' });
  const seen = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }));
      const { width, height } = image;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      return { width, height, data: Array.from(canvas?.getImageData(0, 0, width, height).data ?? []) };
    },
    Array.from(await picture.screenshot()),
  );
  const uri = decodeQR({ ...seen, data: Uint8Array.from(seen.data) });
  expect(uri).toContain(`secret=${secret}`);
  expect(decodeURIComponent(uri)).toContain(email);

  const code = dialog.getByLabel('Code that the app shows');
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await expect(dialog).toContainText('Please enter the code that the app shows.');
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('This was not accepted.');
  const used = codeOf(secret);
  await code.fill(used);
  await page.keyboard.press('Enter');
  const recovery = dialogOf(page, 'Your recovery codes');
  await expect(recovery.getByRole('listitem')).toHaveCount(10);
  await noViolations(page);
  const [firstCode = ''] = await recovery.getByRole('listitem').allInnerTexts();
  const downloading = page.waitForEvent('download');
  // Before a browser that is slow to begin has read what it is to save, its address must not be taken back.
  const revoked = await page.evaluateHandle(() => {
    const { revokeObjectURL } = URL;
    const seen: string[] = [];
    URL.revokeObjectURL = (url) => {
      seen.push(url);
      revokeObjectURL.call(URL, url);
    };
    return seen;
  });
  await recovery.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('recovery-codes.txt');
  expect(await readFile(await download.path(), 'utf8')).toContain(firstCode);
  expect(await revoked.jsonValue()).toEqual([]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await recovery.getByRole('button', { name: 'Copy' }).click();
  await expect(recovery).toContainText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(firstCode);
  await keep(page);
  await expect(page.getByRole('list', { name: 'Second factors' })).toContainText('10 of 10 left');
  await page.getByRole('button', { name: 'Make new ones' }).click();
  await dialogOf(page, 'Make new recovery codes?').getByRole('button', { name: 'Make new ones' }).click();
  await expect(recovery.getByRole('listitem')).toHaveCount(10);
  // What was copied were those before.
  expect(await recovery.innerText()).not.toContain('Copied.');
  const newCode = await recovery.getByRole('listitem').first().innerText();
  await keep(page);

  await logOut(page);
  await signIn(page, email, password);
  const field = page.getByLabel('Code of your authenticator app');
  await expect(field).toBeFocused();
  await noViolations(page);
  await page.getByRole('button', { name: textAt('login.signIn') }).click();
  await expect(page.getByText('Please enter your code.')).toBeVisible();
  // Each works once. One of another moment could be one that was not used, if this has taken a minute until here.
  await field.fill(used);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This was not accepted.')).toBeVisible();
  // The way back, and a wrong password after it.
  await page.getByRole('button', { name: textAt('login.backToLogin') }).click();
  await signIn(page, email, 'not the right one');
  await sees(page, 'login.failed');
  await signIn(page, email, password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(newCode.toUpperCase());
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat');
  await page.goto('/account/security');
  await expect(page.getByRole('list', { name: 'Second factors' })).toContainText('9 of 10 left');
});

test('a passkey: added, used at sign-in and to confirm, and removed', async ({ admin }) => {
  const { page, email, password } = admin;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialogOf(page, 'Your recovery codes').getByRole('listitem')).toHaveCount(10);
  await keep(page);
  const factors = page.getByRole('list', { name: 'Second factors' });
  await expect(factors).toContainText('Passkey 1');
  // The same device is not taken twice.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('No passkey was made.');

  await logOut(page);
  await signIn(page, email, password);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await noViolations(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat');

  // Whoever has waited too long is asked for both again.
  await page.goto('/account/security');
  let asked = 0;
  await page.route('**/v1/removeSecondFactor', (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    const error = { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'recent-sign-in-required' } };
    return route.fulfill({ status: 400, json: { error } });
  });
  await page.getByRole('button', { name: 'Remove Passkey 1' }).click();
  await dialogOf(page, 'Remove this second factor?').getByRole('button', { name: 'Remove' }).click();
  const question = dialogOf(page, 'Confirm your password');
  await question.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(question.getByLabel('Recovery code')).toBeFocused();
  await noViolations(page);
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(factors).toHaveCount(0);
  await logOut(page);
  await signIn(page, email, password);
  await page.waitForURL('**/chat');
});

test('a company asks everybody for one: who has none can only set one up; an admin resets a lost one; a command gets out', async ({
  admin,
  member,
  app,
}) => {
  const { page, client } = admin;
  await page.goto('/admin/settings/security');
  const ask = async () => {
    await page.getByRole('button', { name: 'Ask everybody for one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask everybody' }).click();
  };
  await page.getByRole('button', { name: 'Ask everybody for one' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Ask everybody' })).toBeVisible();
  await inspectBoth(page);
  await page.keyboard.press('Escape');
  await ask();
  await page.getByRole('link', { name: 'Set one up in your account' }).click();
  await setUpApp(page);
  await keep(page);
  await page.goto('/admin/settings/security');
  await ask();
  await expect(page.getByText('Everybody needs a second factor.')).toBeVisible();

  // The member is stopped where they are.
  const theirs = member.page;
  await expect(theirs.getByRole('heading', { name: 'One step before you begin' })).toBeVisible();
  await theirs.goto('/chat');
  await expect(theirs.getByRole('heading', { name: 'One step before you begin' })).toBeVisible();
  await inspect(theirs);
  await setUpApp(theirs);
  await keep(theirs);
  await expect(theirs.getByRole('banner')).toContainText(member.email);

  await page.goto('/admin/team');
  await page.getByRole('button', { name: `Reset the second factor of ${member.email}` }).click();
  await expect(dialogOf(page, 'Reset the second factor?')).toBeVisible();
  await inspectBoth(page);
  await dialogOf(page, 'Reset the second factor?').getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByRole('alert')).toContainText('can sign in without a second factor');
  await theirs.waitForURL('**/login');
  await signIn(theirs, member.email, member.password);
  await expect(theirs.getByRole('heading', { name: 'One step before you begin' })).toBeVisible();

  const { companyId } = (await client.call('getSession', null)).user;
  await app.company('second-factor-optional', companyId);
  await app.company('reset-second-factor', admin.email);
  await theirs.goto('/chat');
  await expect(theirs.getByRole('banner')).toContainText(member.email);
  // The chat hears of it at once.
  await page.goto('/chat');
  await page.waitForURL('**/login');
  await signIn(page, admin.email, admin.password);
  await page.waitForURL('**/chat');
});

for (const width of widths) {
  test(`setting one up, and the second step, can be used by everybody at ${width} px`, async ({ admin }) => {
    const { page, email, password } = admin;
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    await inspect(page);
    await page.keyboard.press('Escape');
    await expect(dialogOf(page, 'Set up an authenticator app')).toHaveCount(0);
    await setUpApp(page);
    await inspect(page);
    await keep(page);
    await inspect(page);
    await page.goto('/chat');
    await logOut(page);
    await signIn(page, email, password);
    await expect(page.getByLabel('Code of your authenticator app')).toBeVisible();
    await inspect(page);
  });
}
