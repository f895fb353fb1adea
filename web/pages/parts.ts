import { createPart } from '#web/lib/part.ts';

/** Each page behind the sign-in, and what several of them stand in. */
export const parts = {
  chat: createPart(() => import('./ChatPage.tsx').then(({ ChatPage }) => ChatPage)),
  document: createPart(() => import('./DocumentPage.tsx').then(({ DocumentPage }) => DocumentPage)),
  accountData: createPart(() => import('./AccountDataPage.tsx').then(({ AccountDataPage }) => AccountDataPage)),
  accountSecurity: createPart(() =>
    import('./AccountSecurityPage.tsx').then(({ AccountSecurityPage }) => AccountSecurityPage),
  ),
  connectApp: createPart(() => import('./ConnectAppPage.tsx').then(({ ConnectAppPage }) => ConnectAppPage)),
  success: createPart(() => import('./SuccessPage.tsx').then(({ SuccessPage }) => SuccessPage)),
  adminLayout: createPart(() => import('./admin/AdminLayout.tsx').then(({ AdminLayout }) => AdminLayout)),
  dashboard: createPart(() => import('./admin/DashboardPage.tsx').then(({ DashboardPage }) => DashboardPage)),
  documents: createPart(() => import('./admin/DocumentsPage.tsx').then(({ DocumentsPage }) => DocumentsPage)),
  analytics: createPart(() => import('./admin/AnalyticsPage.tsx').then(({ AnalyticsPage }) => AnalyticsPage)),
  team: createPart(() => import('./admin/TeamPage.tsx').then(({ TeamPage }) => TeamPage)),
  collections: createPart(() => import('./admin/CollectionsPage.tsx').then(({ CollectionsPage }) => CollectionsPage)),
  collection: createPart(() => import('./admin/CollectionPage.tsx').then(({ CollectionPage }) => CollectionPage)),
  settings: createPart(() => import('./admin/SettingsPage.tsx').then(({ SettingsPage }) => SettingsPage)),
  chatAgent: createPart(() => import('./admin/ChatAgentPage.tsx').then(({ ChatAgentPage }) => ChatAgentPage)),
};

/**
 * What the page of an address is drawn with; an address that is not known here has its parts fetched as they are drawn.
 */
export function partsOf(path: string): (typeof parts)[keyof typeof parts][] {
  const [area = '', page = '', ...below] = path.split('/').slice(1);
  if (area === 'chat') return [parts.chat];
  if (area === 'profile') return [parts.success];
  if (area === 'connect-app') return [parts.connectApp];
  if (area === 'documents') return [parts.document];
  if (area === 'account') return page === 'data' ? [parts.accountData] : [parts.accountSecurity];
  if (area !== 'admin') return [];
  const shown = new Map([
    ['dashboard', parts.dashboard],
    ['documents', parts.documents],
    ['analytics', parts.analytics],
    ['team', parts.team],
    ['collections', below.length > 0 ? parts.collection : parts.collections],
    ['settings', parts.settings],
    ['chat-agent', parts.chatAgent],
  ]).get(page);
  return shown ? [parts.adminLayout, shown] : [parts.adminLayout];
}
