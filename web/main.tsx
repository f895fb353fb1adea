import './early.ts';
import './ui/base.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadApp, loadPageEarly } from './app-loader.ts';
import { keepFocus } from './lib/keep-focus.ts';
import { PartNotLoaded } from './lib/lazy-part.ts';
import { isPublicPath, useLocation } from './lib/location.ts';
import { createStore, useStore } from './lib/store.ts';
import { afterGreeting, loadGreeting, opensWithGreeting } from './opening.ts';
import { PageBoundary } from './pages/FailedPage.tsx';
import { PublicPages } from './pages/public/PublicPages.tsx';
import { Loading } from './ui/Loading.tsx';

// Neither by a boundary of React's, which would keep what stands for it for a while so as not to flicker.
/** Router, cache and components come with the first page behind the sign-in, not with the form in front of it. */
const app = createStore<{ App: ComponentType } | { problem: PartNotLoaded } | null>(null, () => {
  bringApp().then(app.set, (cause: unknown) => app.set({ problem: new PartNotLoaded(cause) }));
});
const opening = createStore<ComponentType | null>(null, () => {
  // If it does not come the app does, or tells.
  loadGreeting().then(
    ({ ChatOpening }) => opening.set(ChatOpening),
    () => {},
  );
});

async function bringApp(): Promise<{ App: ComponentType }> {
  if (opensWithGreeting) await afterGreeting();
  // What stands for it stays until both are there.
  const [loaded] = await Promise.all([loadApp(), loadPageEarly(window.location.pathname)]);
  return loaded;
}

function Root() {
  const isPublic = useLocation(({ pathname }) => isPublicPath(pathname));
  if (isPublic) return <PublicPages />;
  return (
    <PageBoundary path="app">
      <SignedInApp />
    </PageBoundary>
  );
}

/** @throws PartNotLoaded while it is drawn */
function SignedInApp() {
  const now = useStore(app);
  if (now === null) return opensWithGreeting ? <Arriving /> : <Loading />;
  if ('problem' in now) throw now.problem;
  return <now.App />;
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
