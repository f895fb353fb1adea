import { Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#web/api/session.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { PageBoundary } from '#web/pages/FailedPage.tsx';
import { AfterUpload } from './AfterUpload.tsx';
import { DropAnywhere } from './DropAnywhere.tsx';
import { UploadTray } from './UploadTray.tsx';
import { useUploads } from './uploads.ts';

const load = () => import('./UploadModal.tsx');
const UploadModal = lazyPart(() => load().then(({ UploadModal }) => UploadModal));

/** Loads the window before it is asked for. */
export function preloadUploads(): void {
  // If it fails now it is loaded, and its failure told, when it is needed.
  load().catch(() => {});
}

/** Where files may be dropped anywhere. */
const dropPages = ['/chat', '/admin/dashboard', '/admin/documents'];

/** All of uploading that is above the pages: its window, what goes on without it, drops, and what comes after. */
export function Uploading() {
  const { open } = useUploads();
  const { pathname } = useLocation();
  const session = useSession();
  const [wasOpen, setWasOpen] = useState(false);
  // Once opened it stays, so that it can close by itself.
  if (open && !wasOpen) setWasOpen(true);
  const isAdmin = session.state === 'signed-in' && session.session.user.role === 'admin';
  return (
    <>
      <UploadTray />
      {isAdmin && (
        <>
          <AfterUpload userId={session.session.user.uid} />
          {session.session.entitlements.upload && dropPages.includes(pathname) && <DropAnywhere />}
          {wasOpen && (
            <PageBoundary path={pathname}>
              <Suspense>
                <UploadModal />
              </Suspense>
            </PageBoundary>
          )}
        </>
      )}
    </>
  );
}
