import { Suspense, useEffect } from 'react';
import { useSettings } from '#web/api/settings.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { navigate, useLocation } from '#web/lib/location.ts';
import { PageBoundary } from '#web/pages/FailedPage.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { LoginPage } from './LoginPage.tsx';
import { PricingPage } from './PricingPage.tsx';
import { PublicLayout } from './PublicLayout.tsx';
import { SignupPage } from './SignupPage.tsx';

// Large, and seen by few: the forms come without it.
const DevelopersPage = lazyPart(() => import('./DevelopersPage.tsx').then(({ DevelopersPage }) => DevelopersPage));

/** The pages that anybody sees. Light on purpose: nothing but React, so that the first page is there at once. */
export function PublicPages() {
  const path = useLocation(({ pathname }) => pathname.replace(/\/$/, '') || '/');
  const settings = useSettings();
  useEffect(() => {
    if (path === '/') navigate('/login', { replace: true });
  }, [path]);
  return (
    <PublicLayout settings={settings}>
      <PageBoundary path={path}>
        {path === '/signup' ? (
          <SignupPage settings={settings} />
        ) : path === '/pricing' ? (
          <PricingPage settings={settings} />
        ) : path === '/developers' ? (
          <Suspense fallback={<LoadingPart shape="page" />}>
            <DevelopersPage />
          </Suspense>
        ) : (
          <LoginPage />
        )}
      </PageBoundary>
    </PublicLayout>
  );
}
