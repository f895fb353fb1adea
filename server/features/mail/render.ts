import type { Branding } from '#contract/calls/identity.ts';
import type { MailLanguage } from '#contract/settings.ts';
import { escapeHtml } from '#server/lib/html.ts';

/** What a mail says; how it looks is the same for all. */
export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The one thing to do. */
  action?: { label: string; url: string };
  /** Small print below. */
  note?: string;
}

const usual = { language: 'en', orOpen: 'Or open this address:' } as const;

/**
 * A mail as text and as HTML, from the same words. Mail programs know tables and styles on elements, and little else;
 * those that know a dark theme find it in the style sheet. Everything that comes from outside is escaped.
 */
export function renderMail(
  mail: Mail,
  branding: Pick<Branding, 'name' | 'logoUrl'>,
  { language, orOpen }: { language: MailLanguage; orOpen: string } = usual,
): { subject: string; text: string; html: string } {
  const { subject, heading, paragraphs, action, note } = mail;
  const clean: Mail = {
    ...mail,
    subject: oneLine(subject),
    heading: oneLine(heading),
    paragraphs: paragraphs.map(oneLine),
    ...(action && { action: { label: oneLine(action.label), url: oneLine(action.url) } }),
    ...(note !== undefined && { note: oneLine(note) }),
  };
  const brand = { ...branding, name: oneLine(branding.name) };
  return { subject: clean.subject, text: asText(clean, brand), html: asHtml(clean, brand, { language, orOpen }) };
}

function asText({ heading, paragraphs, action, note }: Mail, { name }: Pick<Branding, 'name'>): string {
  const parts = [heading, ...paragraphs];
  // On a line of its own and whole, so that every program makes a link of it.
  if (action) parts.push(`${action.label}:\n${action.url}`);
  if (note) parts.push(note);
  return `${parts.join('\n\n')}\n\n-- \n${name}\n`;
}

function asHtml(
  { subject, heading, paragraphs, action, note }: Mail,
  branding: Pick<Branding, 'name' | 'logoUrl'>,
  { language, orOpen }: { language: MailLanguage; orOpen: string },
) {
  const rows = [
    `<tr><td style="${style.brand}">${brand(branding)}</td></tr>`,
    `<tr><td class="ink" style="${style.heading}">${escapeHtml(heading)}</td></tr>`,
    ...paragraphs.map((words) => `<tr><td class="ink" style="${style.paragraph}">${escapeHtml(words)}</td></tr>`),
    ...(action ? [button(action, orOpen)] : []),
    ...(note ? [`<tr><td class="quiet rule" style="${style.note}">${escapeHtml(note)}</td></tr>`] : []),
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkTheme}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#fcfbf8">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#fcfbf8">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="sheet rule" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style.sheet}">
${rows.join('\n')}
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function brand({ name, logoUrl }: Pick<Branding, 'name' | 'logoUrl'>): string {
  if (logoUrl === undefined) return `<span class="ink" style="${style.name}">${escapeHtml(name)}</span>`;
  return `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="28" style="display:block;height:28px;border:0">`;
}

function button({ label, url }: NonNullable<Mail['action']>, orOpen: string): string {
  return `<tr><td style="padding:12px 32px 20px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="accent" style="border-radius:6px;background:#1f3f7a">
<a class="on-accent" href="${escapeHtml(url)}" style="${style.button}">${escapeHtml(label)}</a>
</td></tr></table>
</td></tr>
<tr><td class="quiet" style="${style.link}">${escapeHtml(orOpen)} <a class="link" href="${escapeHtml(url)}" style="color:#1f3f7a;word-break:break-all">${escapeHtml(url)}</a></td></tr>`;
}

const sans = "font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif";
const serif = "font-family:'Source Serif 4',Georgia,'Times New Roman',serif";
const style = {
  sheet: 'max-width:560px;background:#ffffff;border:1px solid #e6e2da;border-radius:6px',
  brand: 'padding:28px 32px 8px',
  name: `${serif};font-size:18px;font-weight:600;color:#1c1b19`,
  heading: `${serif};font-size:24px;line-height:32px;font-weight:600;color:#1c1b19;padding:8px 32px 12px`,
  paragraph: `${sans};font-size:16px;line-height:25px;color:#1c1b19;padding:0 32px 14px`,
  button: `display:inline-block;${sans};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;padding:12px 22px`,
  link: `${sans};font-size:13px;line-height:20px;color:#5d5a54;padding:0 32px 24px`,
  note: `${sans};font-size:13px;line-height:20px;color:#5d5a54;border-top:1px solid #e6e2da;padding:16px 32px 24px`,
};

const darkTheme = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#161513 !important}
.sheet{background:#1d1c19 !important}
.rule{border-color:#302e29 !important}
.ink{color:#ece8df !important}
.quiet{color:#aaa498 !important}
.accent{background:#9db8f0 !important}
.on-accent{color:#10182a !important}
.link{color:#9db8f0 !important}
}
`;

/**
 * Without what a line of text can't hold, and what turns the reading direction: a company's name may have anything in
 * it.
 */
function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
