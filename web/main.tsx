import './ui/base.css';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { knownSession } from './api/session.ts';
import { loadApp, loadPageEarly } from './app-loader.ts';
import { lazyPart, PartNotLoaded } from './lib/lazy-part.ts';
import { isPublicPath, useLocation } from './lib/location.ts';
import { PageBoundary } from './pages/FailedPage.tsx';
import { PublicPages } from './pages/public/PublicPages.tsx';
import { Loading } from './ui/Loading.tsx';

// Router, cache and components come with the first page behind the sign-in, not with the form in front of it.
const App = lazyPart(() => loadApp().then(({ App }) => App));

function Root() {
  const isPublic = useLocation(({ pathname }) => isPublicPath(pathname));
  if (isPublic) return <PublicPages />;
  return (
    <PageBoundary path="app">
      <Suspense fallback={<Loading />}>
        <App />
      </Suspense>
    </PageBoundary>
  );
}

// The app, its page and who is signed in are asked for at once, in place of one after the other.
if (!isPublicPath(window.location.pathname)) {
  void knownSession();
  loadPageEarly(window.location.pathname);
}

const element = document.getElementById('root');
if (!element) throw new Error('the page has no #root');
// What did not load is told on the page, and tried again; it is no fault of the page.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof PartNotLoaded)) console.error('A part of the page could not be drawn.', error);
};
createRoot(element, { onCaughtError }).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
