import { type Message, placeOf } from '#web/features/chat/conversation/message.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { isSameTarget, type Target, targetOf } from '#web/features/viewer/target.ts';
import { isTyping } from '#web/lib/is-typing.ts';
import { useKeys } from '#web/lib/use-keys.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NextIcon, PreviousIcon } from '#web/ui/icons.tsx';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './SourceSteps.module.css';
import { useSources } from './use-sources.ts';

type Answered = Pick<Message, 'sources'>;

/** Leads from the source that is open to the others of its answer. */
export function SourceSteps({ answers, target }: { answers: readonly Answered[]; target: Target }) {
  const { open, isGone } = useSources();
  const beside = sourcesBeside(answers, target, isGone);
  const place = beside.findIndex((each) => isSameTarget(each.target, target));
  const here = beside[place];
  if (!here || beside.length < 2) return null;
  const step = (by: 1 | -1) => {
    const next = beside[place + by];
    if (next) open(next.target);
  };
  return (
    <span className={styles.steps} data-steps>
      <IconButton label={chatTexts.previousSource} off={place === 0} onClick={() => step(-1)}>
        <PreviousIcon />
      </IconButton>
      {/* The focus stays where it is: what is open now is only heard here. */}
      <span className={styles.place} role="status">
        {place + 1} {chatTexts.of} {beside.length}
        <VisuallyHidden>: {placeOf(here.source)}</VisuallyHidden>
      </span>
      <IconButton label={chatTexts.nextSource} off={place === beside.length - 1} onClick={() => step(1)}>
        <NextIcon />
      </IconButton>
    </span>
  );
}

/** `j` and `k`: with a source open to the next and the one before, else along the numbers of the answers. */
export function SourceKeys({ answers, target }: { answers: readonly Answered[]; target: Target | null }) {
  const { open, isGone } = useSources();
  useKeys((event: KeyboardEvent) => {
    const by = { j: 1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('[role="dialog"]')) return;
    if (target) {
      const beside = sourcesBeside(answers, target, isGone);
      const next = beside[beside.findIndex((each) => isSameTarget(each.target, target)) + by];
      if (next) open(next.target);
      return;
    }
    const links = [...document.querySelectorAll<HTMLElement>('[role="log"] a[data-source]')];
    const here = document.activeElement;
    const place = here instanceof HTMLElement ? links.indexOf(here) : -1;
    // From elsewhere it begins with the answer that came last.
    const answer = links.at(-1)?.closest('[data-reading]');
    const first = links.findIndex((link) => link.closest('[data-reading]') === answer);
    links[place < 0 ? first : place + by]?.focus();
  });
  return null;
}

function sourcesBeside(
  answers: readonly Answered[],
  target: Target,
  isGone: (documentId: string) => boolean,
): readonly { source: Answered['sources'][number]; target: Target }[] {
  for (const { sources } of answers.toReversed()) {
    const beside = sources
      .filter(({ documentId }) => !isGone(documentId))
      .flatMap((source) => {
        const there = targetOf(source.url, source.page);
        return there ? [{ source, target: there }] : [];
      });
    if (beside.some((each) => isSameTarget(each.target, target))) return beside;
  }
  return [];
}
