import type { Page } from '@playwright/test';

/**
 * Changes fields one after the other, faster than anything that the browser puts off can be drawn in between.
 *
 * @param values By the label of the field.
 */
export async function changeAtOnce(page: Page, values: Record<string, string>): Promise<void> {
  const changes = [];
  for (const [label, value] of Object.entries(values))
    changes.push({ field: await page.getByLabel(label, { exact: true }).elementHandle(), value });
  await page.evaluate(async (all) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    for (const { field, value } of all) {
      set?.call(field, value);
      field?.dispatchEvent(new Event('input', { bubbles: true }));
      // What is drawn at once is drawn now, as between two keys.
      await Promise.resolve();
    }
  }, changes);
}
