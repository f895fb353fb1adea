import { Fragment } from 'react';

/** An e-mail address that goes on in the next line before its @ or after a dot, where it can, not within a word. */
export function Email({ children }: { children: string }) {
  return children.split(/(?=@)|(?<=\.)/).map((piece, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they keep their order
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
