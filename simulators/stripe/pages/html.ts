/** A page, or where the browser is sent next. */
export type PageReply = { status: number; html: string } | { redirect: string };

export function page(title: string, content: string, status = 200): PageReply {
  return {
    status,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem; color: #1a1f36 }
label { display: block; margin: .75rem 0 } label span { display: block; font-size: .875rem }
input:not([type=radio]) { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid #6b7280; border-radius: 6px }
button { padding: .6rem 1rem; font: inherit; color: #fff; background: #3f3fb5; border: 0; border-radius: 6px; cursor: pointer }
[role=alert] { padding: .75rem; background: #fde8e8; color: #8a1c1c; border-radius: 6px }
.note { font-size: .875rem; color: #4b5563 } form { margin: 1rem 0 } td { padding: .25rem .5rem .25rem 0 }
</style>
</head>
<body>
<main>
<p class="note">Payment simulator: no real card is charged.</p>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`,
  };
}

export function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

export function money(cents: number, currency = 'usd'): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

export function date(moment: number): string {
  return new Date(moment * 1000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

export function alert(message: string | null): string {
  return message === null ? '' : `<p role="alert">${escaped(message)}</p>`;
}

const testCards = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0341', 'pays now, and fails at later charges'],
  ['4000 0025 0000 3155', 'asks for authentication once'],
  ['4000 0000 0000 3220', 'asks for authentication every time'],
] as const;

/** The fields of a card, with what was typed in before. */
export function cardFields(given: Record<string, string>): string {
  const field = (name: string, label: string, complete: string) =>
    `<label><span>${label}</span><input name="${name}" autocomplete="${complete}" required value="${escaped(given[name] ?? '')}"></label>`;
  return [
    field('card_number', 'Card number', 'cc-number'),
    field('exp_month', 'Expiry month', 'cc-exp-month'),
    field('exp_year', 'Expiry year', 'cc-exp-year'),
    field('cvc', 'Security code', 'cc-csc'),
    field('name', 'Name on card', 'cc-name'),
    `<details class="note"><summary>Test cards</summary><ul>${testCards
      .map(([number, does]) => `<li><code>${number}</code> ${does}</li>`)
      .join('')}</ul></details>`,
  ].join('\n');
}

/** The bank's page, on which a card's holder says that it is him. */
export function authenticationPage(amount: string): PageReply {
  return page(
    'Your bank asks you to confirm',
    `<p>Payment of ${escaped(amount)}</p>
<form method="post">
<button name="action" value="complete">Complete</button>
<button name="action" value="fail">Fail</button>
</form>`,
  );
}

export const authenticationFailed =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
