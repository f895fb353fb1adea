import type { ComponentProps, MouseEvent } from 'react';
import { targetOf } from '#web/features/viewer/target.ts';
import { useSources } from './use-sources.ts';

export interface SourceLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  url: string;
  page?: number | undefined;
  /** Asked when it is clicked: true, when it has done something else instead of opening. */
  instead?: (link: HTMLElement) => boolean;
}

/** A link that opens beside the conversation; with a modifier key in a new tab, as every link. */
export function SourceLink({ url, page, instead, ...rest }: SourceLinkProps) {
  const { open, show } = useSources();
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    const target = targetOf(url, page);
    if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (instead?.(event.currentTarget)) return;
    show(null);
    open(target);
  };
  // What lies elsewhere must not take the place of the conversation.
  const elsewhere = targetOf(url) === null ? { target: '_blank', rel: 'noreferrer' } : {};
  return <a href={url} onClick={click} {...elsewhere} {...rest} />;
}
