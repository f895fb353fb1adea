import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { AdminsOnly, LeaveApp, SignedIn } from './guards.tsx';
import { earlyPart } from './lib/lazy-part.ts';
import { PageBoundary } from './pages/FailedPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { parts } from './pages/parts.ts';
import { Loading } from './ui/Loading.tsx';

const ChatPage = earlyPart(parts.chat);
const DocumentPage = earlyPart(parts.document);
const AccountDataPage = earlyPart(parts.accountData);
const AccountSecurityPage = earlyPart(parts.accountSecurity);
const ConnectAppPage = earlyPart(parts.connectApp);
const SuccessPage = earlyPart(parts.success);
const AdminLayout = earlyPart(parts.adminLayout);
const DashboardPage = earlyPart(parts.dashboard);
const DocumentsPage = earlyPart(parts.documents);
const AnalyticsPage = earlyPart(parts.analytics);
const TeamPage = earlyPart(parts.team);
const CollectionsPage = earlyPart(parts.collections);
const CollectionPage = earlyPart(parts.collection);
const SettingsPage = earlyPart(parts.settings);
const ChatAgentPage = earlyPart(parts.chatAgent);

/**
 * Every address behind the sign-in. The public ones (`/`, `/login`, `/signup`, `/pricing`, `/developers`) stand in
 * `main.tsx`.
 */
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
            <Route path="/account/data" element={<AccountDataPage />} />
            <Route path="/documents/:documentId/:version" element={<DocumentPage />} />
          </Route>
          <Route path="/connect-app" element={<ConnectAppPage />} />
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

/** A link within the app has led to a page that lies outside of it. */
function PublicPage() {
  const { pathname, search, hash } = useLocation();
  return <LeaveApp to={pathname + search + hash} />;
}
