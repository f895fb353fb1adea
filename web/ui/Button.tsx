import { Button as MantineButton } from '@mantine/core';
import type { ComponentProps } from 'react';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'style' | 'className' | 'color'> {
  /** `main`: what the page is about; `plain`: anything else; `danger`: destroys; `danger-quiet`: leads to that. */
  look?: 'main' | 'plain' | 'danger' | 'danger-quiet';
  /** In a row of a list. */
  compact?: boolean;
  /** What it does is on its way. It keeps the focus, and a second press does nothing. */
  pending?: boolean;
  /** Shown in place of its word meanwhile. */
  loading?: boolean;
  /** Where a dialog that opens puts the focus. */
  'data-autofocus'?: boolean;
}

/** A button of the pages behind the sign-in. */
export function Button({ look = 'main', compact = false, pending = false, onClick, ...rest }: ButtonProps) {
  return (
    <MantineButton
      {...looks[look]}
      {...(compact ? { size: 'compact-sm' } : {})}
      aria-disabled={pending || undefined}
      onClick={pending ? undefined : onClick}
      {...rest}
    />
  );
}

const looks = {
  main: {},
  plain: { variant: 'default' },
  danger: { color: 'danger' },
  'danger-quiet': { variant: 'subtle', c: 'var(--danger)', px: 'xs' },
} as const;
