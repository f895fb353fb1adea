import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, NavLink, useParams } from 'react-router';
import { messageOf } from '#web/api/call.ts';
import { type CompanySettings, companySettingsQuery } from '#web/api/company-settings.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { ApiKeys, KeysOfPeople } from '#web/features/account/ApiKeys.tsx';
import { AuditLog } from '#web/features/audit/AuditLog.tsx';
import { PlanAndBilling } from '#web/features/billing/PlanAndBilling.tsx';
import { BrandSection } from '#web/features/settings/BrandSection.tsx';
import { CompanySection } from '#web/features/settings/CompanySection.tsx';
import { DataSection } from '#web/features/settings/DataSection.tsx';
import { NotificationsSection } from '#web/features/settings/NotificationsSection.tsx';
import { SecuritySection } from '#web/features/settings/SecuritySection.tsx';
import styles from '#web/features/settings/Settings.module.css';
import { words } from '#web/features/settings/words.ts';
import { Webhooks } from '#web/features/webhooks/Webhooks.tsx';
import { productName, useTitle } from '#web/lib/title.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import admin from './Admin.module.css';

interface Part {
  path: string;
  label: string;
  /** What it shows once the settings are known. */
  of?: (settings: CompanySettings, session: Session) => ReactNode;
}

/** In the order of the page; those without `of` load what they show themselves. */
const parts: readonly Part[] = [
  { path: 'company', label: words.company, of: (settings) => <CompanySection settings={settings} /> },
  { path: 'billing', label: words.planAndBilling },
  {
    path: 'branding',
    label: words.branding,
    of: ({ brand }, { entitlements }) => (
      <BrandSection
        brand={brand}
        usualName={productName()}
        isUnlocked={entitlements.features.includes('white-label')}
      />
    ),
  },
  {
    path: 'security',
    label: words.signInAndSecurity,
    of: (settings, { entitlements }) => (
      <SecuritySection
        settings={settings}
        hasSingleSignOn={entitlements.features.includes('single-sign-on')}
        hasAllowedAddresses={entitlements.features.includes('allowed-addresses')}
      />
    ),
  },
  {
    path: 'notifications',
    label: words.notifications,
    of: (settings, { user }) => <NotificationsSection settings={settings} email={user.email} />,
  },
  { path: 'api-keys', label: words.apiKeys },
  { path: 'webhooks', label: words.webhooks },
  { path: 'data', label: words.data },
  { path: 'audit', label: words.auditLog },
];

/** What an admin decides for the whole company: a section at each address. */
export function SettingsPage() {
  const now = useSession();
  const { section } = useParams();
  const part = parts.find(({ path }) => path === section);
  useTitle(part ? `${part.label} · ${words.settings}` : words.settings);
  if (now.state !== 'signed-in') return null;
  if (!part) return <Navigate to="/admin/settings/company" replace />;
  return (
    <>
      <h1 className={admin.heading}>{words.settings}</h1>
      <p className={admin.sub}>
        <bdi>{now.session.company.name}</bdi>
      </p>
      <nav aria-label={words.sections}>
        <ul className={styles.sections}>
          {parts.map(({ path, label }) => (
            <li key={path}>
              <NavLink to={`/admin/settings/${path}`}>{label}</NavLink>
            </li>
          ))}
          <li>
            <NavLink to="/admin/chat-agent">{words.chatAgent}</NavLink>
          </li>
        </ul>
      </nav>
      {part.path === 'billing' && <PlanAndBilling salesEmail={now.session.branding.salesEmail} />}
      {part.path === 'api-keys' && (
        <>
          <ApiKeys kind="company" />
          <KeysOfPeople />
        </>
      )}
      {part.path === 'webhooks' && <Webhooks />}
      {part.path === 'data' && <DataSection companyName={now.session.company.name} />}
      {part.path === 'audit' && <AuditLog />}
      {part.of && <Loaded part={part.of} key={part.path} session={now.session} />}
    </>
  );
}

function Loaded({ part, session }: { part: NonNullable<Part['of']>; session: Session }) {
  const { data, error, refetch } = useQuery(companySettingsQuery);
  if (data) return part(data, session);
  if (!error) return <LoadingPart />;
  return <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>;
}
