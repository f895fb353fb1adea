import { Suspense, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { earlyChatPage } from './early-chat-page.ts';
import { AdminsOnly, LeaveApp, SignedIn } from './guards.tsx';
import { lazyPart } from './lib/lazy-part.ts';
import { PageBoundary } from './pages/FailedPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { Loading } from './ui/Loading.tsx';

const LateChatPage = lazyPart(() => import('./pages/ChatPage.tsx').then(({ ChatPage }) => ChatPage));
const DocumentPage = lazyPart(() => import('./pages/DocumentPage.tsx').then(({ DocumentPage }) => DocumentPage));
const AccountDataPage = lazyPart(() =>
  import('./pages/AccountDataPage.tsx').then(({ AccountDataPage }) => AccountDataPage),
);
const AccountSecurityPage = lazyPart(() =>
  import('./pages/AccountSecurityPage.tsx').then(({ AccountSecurityPage }) => AccountSecurityPage),
);
const ConnectAppPage = lazyPart(() =>
  import('./pages/ConnectAppPage.tsx').then(({ ConnectAppPage }) => ConnectAppPage),
);
const SuccessPage = lazyPart(() => import('./pages/SuccessPage.tsx').then(({ SuccessPage }) => SuccessPage));
const AdminLayout = lazyPart(() => import('./pages/admin/AdminLayout.tsx').then(({ AdminLayout }) => AdminLayout));
const DashboardPage = lazyPart(() =>
  import('./pages/admin/DashboardPage.tsx').then(({ DashboardPage }) => DashboardPage),
);
const DocumentsPage = lazyPart(() =>
  import('./pages/admin/DocumentsPage.tsx').then(({ DocumentsPage }) => DocumentsPage),
);
const AnalyticsPage = lazyPart(() =>
  import('./pages/admin/AnalyticsPage.tsx').then(({ AnalyticsPage }) => AnalyticsPage),
);
const TeamPage = lazyPart(() => import('./pages/admin/TeamPage.tsx').then(({ TeamPage }) => TeamPage));
const CollectionsPage = lazyPart(() =>
  import('./pages/admin/CollectionsPage.tsx').then(({ CollectionsPage }) => CollectionsPage),
);
const CollectionPage = lazyPart(() =>
  import('./pages/admin/CollectionPage.tsx').then(({ CollectionPage }) => CollectionPage),
);
const SettingsPage = lazyPart(() => import('./pages/admin/SettingsPage.tsx').then(({ SettingsPage }) => SettingsPage));
const ChatAgentPage = lazyPart(() =>
  import('./pages/admin/ChatAgentPage.tsx').then(({ ChatAgentPage }) => ChatAgentPage),
);

/** Every address behind the sign-in. The public ones (`/`, `/login`, `/signup`, `/pricing`, `/developers`) stand in `main.tsx`. */
export function AppRoutes() {
  const { pathname } = useLocation();
  return (
    <PageBoundary path={pathname}>
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route element={<SignedIn />}>
            <Route path="/chat" element={<ChatPage />} />
            <Route path="/profile" element={<SuccessPage />} />
            <Route path="/account/security" element={<AccountSecurityPage />} />
            <Route path="/connect-app" element={<ConnectAppPage />} />
            <Route path="/account/data" element={<AccountDataPage />} />
            <Route path="/documents/:documentId/:version" element={<DocumentPage />} />
          </Route>
          <Route element={<AdminsOnly />}>
            <Route path="/admin" element={<AdminLayout />}>
              <Route index element={<Navigate to="/admin/dashboard" replace />} />
              <Route path="dashboard" element={<DashboardPage />} />
              <Route path="documents" element={<DocumentsPage />} />
              <Route path="collections" element={<CollectionsPage />} />
              <Route path="collections/:collectionId" element={<CollectionPage />} />
              <Route path="chat-agent" element={<ChatAgentPage />} />
              <Route path="team" element={<TeamPage />} />
              <Route path="analytics" element={<AnalyticsPage />} />
              <Route path="settings" element={<Navigate to="/admin/settings/company" replace />} />
              <Route path="settings/:section" element={<SettingsPage />} />
            </Route>
          </Route>
          {['/', '/login', '/signup', '/pricing', '/developers'].map((path) => (
            <Route key={path} path={path} element={<PublicPage />} />
          ))}
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
    </PageBoundary>
  );
}

/** Even a part that is there already is drawn a moment later when it is asked for as one that may not be. */
function ChatPage() {
  const [Page] = useState(() => earlyChatPage() ?? LateChatPage);
  return <Page />;
}

/** A link within the app has led to a page that lies outside of it. */
function PublicPage() {
  const { pathname, search, hash } = useLocation();
  return <LeaveApp to={pathname + search + hash} />;
}
