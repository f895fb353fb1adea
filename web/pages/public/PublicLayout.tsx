import type { MouseEvent, ReactNode } from 'react';
import { messages } from '#contract/messages.ts';
import { mayBeSignedIn, type SessionState, useSession } from '#web/api/session.ts';
import type { Settings } from '#web/api/settings.ts';
import { navigate } from '#web/lib/location.ts';
import { personName } from '#web/lib/person-name.ts';
import { productName } from '#web/lib/title.ts';
import { SkipLink } from '#web/ui/SkipLink.tsx';
import styles from './PublicLayout.module.css';
import { words } from './words.ts';

const texts = messages.publicLayout;

/** Header and footer of the pages that anybody sees. */
export function PublicLayout({ settings, children }: { settings: Settings | null; children: ReactNode }) {
  const branding = settings?.branding;
  const name = branding?.name ?? productName();
  const now = useSession();
  return (
    <div className={styles.page}>
      <SkipLink />
      <header className={styles.header}>
        <MaybeExternal className={styles.brand} href={branding?.marketingUrl}>
          {branding?.logoUrl ? <img src={branding.logoUrl} alt={name} /> : <Wordmark name={name} />}
        </MaybeExternal>
        <nav className={styles.nav} aria-label={words.pages}>
          {/* It comes last, and so moves nothing where it stands first. */}
          {now.state === 'signed-in' && <bdi className={styles.who}>{personName(now.session.user)}</bdi>}
          <MaybeExternal href={branding?.pricingUrl}>{texts.pricing}</MaybeExternal>
          <WayIn visitor={now} />
        </nav>
      </header>
      <main id="content" className={styles.main}>
        {children}
      </main>
      <footer className={styles.footer}>
        <span>
          © {texts.copyrightYear} {name}
        </span>
        {branding?.socialUrl && <a href={branding.socialUrl}>{socialName(branding.socialUrl)}</a>}
        {branding?.termsUrl && <a href={branding.termsUrl}>{texts.terms}</a>}
      </footer>
    </div>
  );
}

/** The ways in; for who is in already the way back. */
function WayIn({ visitor: { state } }: { visitor: SessionState }) {
  if (state === 'signed-out' || (state === 'loading' && !mayBeSignedIn())) {
    return (
      <>
        <PageLink to="/login">{texts.login}</PageLink>
        <PageLink to="/pricing" className={styles.start}>
          {texts.getStarted}
        </PageLink>
      </>
    );
  }
  return (
    <PageLink to="/chat" className={styles.start}>
      {words.pricing.openApp}
    </PageLink>
  );
}

/** A link to another public page, without loading it anew; `go` replaces the plain way there. */
export function PageLink({
  to,
  go = () => navigate(to),
  className,
  children,
}: {
  to: string;
  go?: () => void;
  className?: string | undefined;
  children: ReactNode;
}) {
  const follow = (event: MouseEvent) => {
    // A click with a key held asks the browser for a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go();
  };
  return (
    <a href={to} className={className} onClick={follow}>
      {children}
    </a>
  );
}

/** The name with the product's sign: a footnote mark. */
function Wordmark({ name }: { name: string }) {
  return (
    <>
      {name}
      <sup aria-hidden="true">1</sup>
    </>
  );
}

function MaybeExternal({
  href,
  className,
  children,
}: {
  href: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  if (!href) {
    return (
      <PageLink to="/pricing" className={className}>
        {children}
      </PageLink>
    );
  }
  return (
    <a href={href} className={className}>
      {children}
    </a>
  );
}

/** "linkedin.com" for a link to a profile there. */
function socialName(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url;
}
