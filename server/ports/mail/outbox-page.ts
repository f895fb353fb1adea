import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '#server/lib/html.ts';
import { isUuid } from '#server/lib/is-uuid.ts';
import { isFromThisMachine } from '#server/lib/this-machine.ts';
import type { Outbox, OutboxMail } from './outbox.ts';

/**
 * `/dev/outbox`: the mails that were not sent, and `/dev/outbox.json` for scripts. Only for whoever sits at this
 * machine: a mail's link lets its reader be anyone, and a server that was left in development may well be reached from
 * elsewhere.
 */
export function mountOutbox(http: FastifyInstance, { outbox, name }: { outbox: Outbox; name: string }): void {
  http.addHook('onRequest', async (request, reply) => {
    if (!isFromThisMachine(request.raw)) return reply.callNotFound();
    void reply.header('cache-control', 'no-store');
  });

  http.get('/dev/outbox', async (_request, reply) => {
    const nonce = randomBytes(18).toString('base64');
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self'; ${closed}; frame-ancestors 'none'`;
    return sendHtml(reply, policy, page(await outbox.list(), name, nonce));
  });

  http.get('/dev/outbox.json', async () => outbox.list());

  // Each mail is a page of its own, that can do nothing but open a link in a new window.
  http.get<{ Params: { id: string } }>('/dev/outbox/:id', async ({ params: { id } }, reply) => {
    const mail = isUuid(id) ? await outbox.find(id) : null;
    if (!mail) return reply.callNotFound();
    const policy = `sandbox ${popups}; default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; ${closed}; frame-ancestors 'self'`;
    return sendHtml(reply, policy, mail.html.replace('<head>', '<head><base target="_blank">'));
  });
}

const popups = 'allow-popups allow-popups-to-escape-sandbox';
const closed = "base-uri 'none'; form-action 'none'";

function sendHtml(reply: FastifyReply, policy: string, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
}

function page(mails: OutboxMail[], name: string, nonce: string): string {
  const list = mails.length === 0 ? '<p class="empty">No mails yet.</p>' : mails.map(entry).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outbox – ${escapeHtml(name)}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body>
<main>
<h1>Outbox</h1>
<p class="about">In development mails are not sent. They end here, newest first. <a href="/dev/outbox">Reload</a> <a href="/dev/outbox.json">JSON</a></p>
${list}
</main>
</body>
</html>
`;
}

function entry({ id, to, subject, text, sentAt }: OutboxMail, index: number): string {
  const time = sentAt.toISOString();
  return `<details${index === 0 ? ' open' : ''}>
<summary><span class="subject">${escapeHtml(subject)}</span><span class="to">${escapeHtml(to)}</span><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time></summary>
<iframe src="/dev/outbox/${id}" sandbox="${popups}" loading="lazy" title="${escapeHtml(subject)}"></iframe>
<details class="plain"><summary>Plain text</summary><pre>${escapeHtml(text)}</pre></details>
</details>`;
}

const styles = `
:root{color-scheme:light dark;--paper:#fcfbf8;--sheet:#fff;--ink:#1c1b19;--ink-2:#5d5a54;--rule:#e6e2da;--wash:#f4f1ea;--accent:#1f3f7a}
@media (prefers-color-scheme:dark){:root{--paper:#161513;--sheet:#1d1c19;--ink:#ece8df;--ink-2:#aaa498;--rule:#302e29;--wash:#23211d;--accent:#9db8f0}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 "Inter Variable",Inter,system-ui,sans-serif}
main{max-width:760px;margin:0 auto;padding:40px 16px 64px}
h1{font:600 28px/36px "Source Serif 4 Variable","Source Serif 4",Georgia,serif;margin:0 0 4px}
a{color:var(--accent)}
.about{color:var(--ink-2);margin:0 0 24px}.about a{margin-left:8px}
.empty{color:var(--ink-2);border:1px dashed var(--rule);border-radius:6px;padding:32px;text-align:center}
details{background:var(--sheet);border:1px solid var(--rule);border-radius:6px;margin:0 0 10px;overflow:hidden}
summary{cursor:pointer;padding:12px 16px;display:grid;grid-template-columns:1fr auto;gap:0 16px}
summary:hover{background:var(--wash)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
.subject{font-weight:600;overflow-wrap:anywhere}
.to{grid-row:2;color:var(--ink-2);overflow-wrap:anywhere}
time{color:var(--ink-2);font-size:13px;font-variant-numeric:tabular-nums;white-space:nowrap}
iframe{display:block;width:100%;height:560px;border:0;border-top:1px solid var(--rule);background:var(--paper)}
.plain{margin:0;border-width:1px 0 0;border-radius:0}
.plain summary{display:block;color:var(--ink-2)}
pre{margin:0;padding:4px 16px 16px;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.6 ui-monospace,monospace}
@media (max-width:480px){summary{grid-template-columns:1fr}.to{grid-row:auto}}
`;
