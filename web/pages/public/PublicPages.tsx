import { useEffect } from 'react';
import { useSettings } from '#web/api/settings.ts';
import { navigate, useLocation } from '#web/lib/location.ts';
import { LoginPage } from './LoginPage.tsx';
import { PricingPage } from './PricingPage.tsx';
import { PublicLayout } from './PublicLayout.tsx';
import { SignupPage } from './SignupPage.tsx';

/** The pages that anybody sees. Light on purpose: nothing but React, so that the first page is there at once. */
export function PublicPages() {
  const path = useLocation(({ pathname }) => pathname.replace(/\/$/, '') || '/');
  const settings = useSettings();
  useEffect(() => {
    if (path === '/') navigate('/login', { replace: true });
  }, [path]);
  return (
    <PublicLayout settings={settings}>
      {path === '/signup' ? (
        <SignupPage settings={settings} />
      ) : path === '/pricing' ? (
        <PricingPage settings={settings} />
      ) : (
        <LoginPage />
      )}
    </PublicLayout>
  );
}
