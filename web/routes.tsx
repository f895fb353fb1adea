import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { messages } from '#contract/messages.ts';
import { AdminsOnly, LeaveApp, SignedIn } from './guards.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { Loading } from './ui/Loading.tsx';

const ChatPage = lazy(() => import('./pages/ChatPage.tsx').then((page) => ({ default: page.ChatPage })));
const DocumentPage = lazy(() => import('./pages/DocumentPage.tsx').then((page) => ({ default: page.DocumentPage })));
const SuccessPage = lazy(() => import('./pages/SuccessPage.tsx').then((page) => ({ default: page.SuccessPage })));
const AdminLayout = lazy(() => import('./pages/admin/AdminLayout.tsx').then((page) => ({ default: page.AdminLayout })));
const DashboardPage = lazy(() =>
  import('./pages/admin/DashboardPage.tsx').then((page) => ({ default: page.DashboardPage })),
);
const DocumentsPage = lazy(() =>
  import('./pages/admin/DocumentsPage.tsx').then((page) => ({ default: page.DocumentsPage })),
);
const TeamPage = lazy(() => import('./pages/admin/TeamPage.tsx').then((page) => ({ default: page.TeamPage })));
const SettingsPage = lazy(() =>
  import('./pages/admin/SettingsPage.tsx').then((page) => ({ default: page.SettingsPage })),
);
const ComingPage = lazy(() => import('./pages/admin/ComingPage.tsx').then((page) => ({ default: page.ComingPage })));

/** Every address behind the sign-in. The public ones (`/`, `/login`, `/signup`, `/pricing`) stand in `main.tsx`. */
export function AppRoutes() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route element={<SignedIn />}>
          <Route path="/chat" element={<ChatPage />} />
          <Route path="/profile" element={<SuccessPage />} />
          <Route path="/documents/:documentId/:version" element={<DocumentPage />} />
        </Route>
        <Route element={<AdminsOnly />}>
          <Route path="/admin" element={<AdminLayout />}>
            <Route index element={<Navigate to="/admin/dashboard" replace />} />
            <Route path="dashboard" element={<DashboardPage />} />
            <Route path="documents" element={<DocumentsPage />} />
            <Route path="chat-agent" element={<ComingPage title={messages.admin.chatAgent} />} />
            <Route path="team" element={<TeamPage />} />
            <Route path="analytics" element={<ComingPage title={messages.admin.analytics} />} />
            <Route path="settings" element={<SettingsPage />} />
          </Route>
        </Route>
        {['/', '/login', '/signup', '/pricing'].map((path) => (
          <Route key={path} path={path} element={<PublicPage />} />
        ))}
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  );
}

/** A link within the app has led to a page that lies outside of it. */
function PublicPage() {
  const { pathname, search, hash } = useLocation();
  return <LeaveApp to={pathname + search + hash} />;
}
