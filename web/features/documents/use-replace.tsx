import { useRef, useState } from 'react';
import type { CompanyFile } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import { replaceFile } from '#web/features/uploads/uploads.ts';
import { words } from './words.ts';

/**
 * Lets a person choose a file of any name that becomes the next version of one that is there. `picker` must be drawn.
 */
export function useReplace() {
  const session = useSession();
  const [replaced, setReplaced] = useState<CompanyFile | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const picker = (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={words.newVersion}
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        target.value = '';
        if (file && replaced && session.state === 'signed-in')
          replaceFile(file, replaced.name, session.session.user.uid);
      }}
    />
  );
  function replace(file: CompanyFile): void {
    setReplaced(file);
    input.current?.click();
  }
  return { picker, replace };
}
