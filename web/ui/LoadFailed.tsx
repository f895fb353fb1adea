import type { ReactNode } from 'react';
import { Notice } from './Notice.tsx';

/** In the place of what could not be loaded: says why, and loads it again when a person asks for that. */
export function LoadFailed({ retry, children }: { retry: () => unknown; children: ReactNode }) {
  return (
    <Notice kind="problem" action={{ label: 'Try again', run: () => void retry() }}>
      {children}
    </Notice>
  );
}
