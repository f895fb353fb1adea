import { useEffect } from 'react';
import { accentColours } from '#contract/accent.ts';
import { useSession } from '#web/api/session.ts';
import { nameProduct } from '#web/lib/title.ts';

const variables = [
  ['accent', '--accent'],
  ['strong', '--accent-strong'],
  ['ink', '--accent-ink'],
  ['wash', '--accent-wash'],
] as const;

/** Shows the product under the name and in the colour of the company that is signed in. */
export function CompanyBrand(): null {
  const now = useSession();
  const brand = now.state === 'signed-in' ? now.session.branding : null;
  const [name, accent] = [brand?.name ?? null, brand?.accent ?? null];
  useEffect(() => {
    nameProduct(name);
    return () => nameProduct(null);
  }, [name]);
  useEffect(() => {
    const colours = accent === null ? null : accentColours(accent);
    // A browser that knows no colours by day and by night keeps the usual ones, which can be read.
    if (!colours || !CSS.supports('color', 'light-dark(#fff, #000)')) return;
    const { style } = document.documentElement;
    for (const [part, variable] of variables)
      style.setProperty(variable, `light-dark(${colours.light[part]}, ${colours.dark[part]})`);
    return () => {
      for (const [, variable] of variables) style.removeProperty(variable);
    };
  }, [accent]);
  return null;
}
