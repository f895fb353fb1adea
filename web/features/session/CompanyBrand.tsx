import { useEffect } from 'react';
import { accentColours, accentVariables } from '#contract/accent.ts';
import { useSession } from '#web/api/session.ts';
import { nameProduct } from '#web/lib/title.ts';

/** Shows the product under the name and in the colour of the company that is signed in. */
export function CompanyBrand(): null {
  const now = useSession();
  const brand = now.state === 'signed-in' ? now.session.branding : null;
  const [name, accent] = [brand?.name ?? null, brand?.accent ?? null];
  useEffect(() => {
    nameProduct(name);
    return () => nameProduct(null);
  }, [name]);
  // The accent of the host name's company, on the page that the server sent, is not that of everyone who signs in
  // there.
  const isSignedIn = brand !== null;
  useEffect(() => {
    const ofHost = document.querySelector<HTMLStyleElement>('#host-accent');
    if (!ofHost || !isSignedIn) return;
    ofHost.disabled = true;
    return () => {
      ofHost.disabled = false;
    };
  }, [isSignedIn]);
  useEffect(() => {
    const colours = accent === null ? null : accentColours(accent);
    // A browser that knows no colours by day and by night keeps the usual ones, which can be read.
    if (!colours || !CSS.supports('color', 'light-dark(#fff, #000)')) return;
    const { style } = document.documentElement;
    for (const [part, variable] of accentVariables)
      style.setProperty(variable, `light-dark(${colours.light[part]}, ${colours.dark[part]})`);
    return () => {
      for (const [, variable] of accentVariables) style.removeProperty(variable);
    };
  }, [accent]);
  return null;
}
