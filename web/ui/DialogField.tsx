import { TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';

export interface DialogFieldProps extends Pick<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  error?: string | undefined;
  /** Where the dialog puts the focus when it opens. */
  'data-autofocus'?: boolean;
}

/** A line of text in a dialog. */
export function DialogField(props: DialogFieldProps) {
  return <TextInput {...props} />;
}
