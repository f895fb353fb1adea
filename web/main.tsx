import './early.ts';
import './ui/base.css';
import { type ComponentType, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { loadApp, loadPageEarly } from './app-loader.ts';
import { keepFocus } from './lib/keep-focus.ts';
import { lazyPart, PartNotLoaded } from './lib/lazy-part.ts';
import { isPublicPath, useLocation } from './lib/location.ts';
import { createStore, useStore } from './lib/store.ts';
import { afterGreeting, loadGreeting, opensWithGreeting } from './opening.ts';
import { PageBoundary } from './pages/FailedPage.tsx';
import { PublicPages } from './pages/public/PublicPages.tsx';
import { Loading } from './ui/Loading.tsx';

// Router, cache and components come with the first page behind the sign-in, not with the form in front of it.
const App = lazyPart(async () => {
  if (opensWithGreeting) {
    await afterGreeting();
    // The greeting stays until both are there.
    await Promise.all([loadApp(), loadPageEarly('/chat')]);
  }
  return (await loadApp()).App;
});
// Not by a boundary of React's, which would keep it back for a while so as not to flicker.
const opening = createStore<ComponentType | null>(null, () => {
  // If it does not come the app does, or tells.
  loadGreeting().then(
    ({ ChatOpening }) => opening.set(ChatOpening),
    () => {},
  );
});

function Root() {
  const isPublic = useLocation(({ pathname }) => isPublicPath(pathname));
  if (isPublic) return <PublicPages />;
  return (
    <PageBoundary path="app">
      <Suspense fallback={opensWithGreeting ? <Arriving /> : <Loading />}>
        <App />
      </Suspense>
    </PageBoundary>
  );
}

/** The greeting, until the app is there. */
function Arriving() {
  const ChatOpening = useStore(opening);
  return <div data-arriving>{ChatOpening ? <ChatOpening /> : <Loading />}</div>;
}

keepFocus();
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
