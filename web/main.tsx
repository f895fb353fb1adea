import './ui/base.css';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { loadApp } from './app-loader.ts';
import { isPublicPath, useLocation } from './lib/location.ts';
import { PublicPages } from './pages/public/PublicPages.tsx';
import { Loading } from './ui/Loading.tsx';

// Router, cache and components come with the first page behind the sign-in, not with the form in front of it.
const App = lazy(() => loadApp().then(({ App }) => ({ default: App })));

function Root() {
  const isPublic = useLocation(({ pathname }) => isPublicPath(pathname));
  if (isPublic) return <PublicPages />;
  return (
    <Suspense fallback={<Loading />}>
      <App />
    </Suspense>
  );
}

const element = document.getElementById('root');
if (!element) throw new Error('the page has no #root');
createRoot(element).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
