import { useEffect, useState } from 'react';
import { showAlert } from '#web/ui/alerts.tsx';
import styles from './DropAnywhere.module.css';
import { droppedFiles } from './dropped-files.ts';
import { addFiles, isUploading, openUploads } from './uploads.ts';
import { words } from './words.ts';

/** Files that are dropped anywhere on the page are chosen for an upload. What has its own place for them keeps it. */
export function DropAnywhere() {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // Each element under the pointer is entered before the one before it is left.
    let depth = 0;
    const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth++;
      setIsOver(document.querySelector('[role="dialog"]') === null);
    };
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth--;
      if (depth <= 0) setIsOver(false);
    };
    const over = (event: DragEvent) => {
      // Or the browser would open the file in place of the page.
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setIsOver(false);
      if (event.defaultPrevented || !carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      if (document.querySelector('[role="dialog"]')) return;
      if (isUploading()) return showAlert('problem', words.busy);
      void droppedFiles(event.dataTransfer).then(
        (files) => {
          addFiles(files);
          openUploads();
        },
        // Moved away meanwhile, or nobody may read it.
        () => showAlert('problem', words.dropFailed),
      );
    };
    const handlers = { dragenter: enter, dragleave: leave, dragover: over, drop };
    for (const [name, handler] of Object.entries(handlers)) window.addEventListener(name, handler as EventListener);
    return () => {
      for (const [name, handler] of Object.entries(handlers))
        window.removeEventListener(name, handler as EventListener);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div className={styles.over} role="status">
      <p>{words.dropAnywhere}</p>
    </div>
  );
}
