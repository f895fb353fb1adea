export type LoginMode = 'login' | 'forgotPassword' | 'resetPassword';

/** The mode that the address asks for; a mailed link carries a code, and may name the mode as well. */
export function modeOf(search: string): LoginMode {
  const parameters = new URLSearchParams(search);
  const mode = parameters.get('mode');
  if (parameters.has('oobCode') || mode === 'resetPassword') return 'resetPassword';
  return mode === 'forgotPassword' ? mode : 'login';
}

/** The code of the link that confirms an address, which is no mode of its own: it is said on the form to log in. */
export function confirmCodeIn(search: string): string | null {
  return new URLSearchParams(search).get('confirmCode')?.trim() || null;
}

/** The address of a mode: never with a code in it. */
export function addressOf(mode: LoginMode): string {
  return mode === 'login' ? '/login' : `/login?mode=${mode}`;
}

/** What a company's provider has put into the address that it led back to; null: it has not. */
export function providersAnswerIn(search: string): string | null {
  const parameters = new URLSearchParams(search);
  return parameters.has('state') && (parameters.has('code') || parameters.has('error')) ? search : null;
}

/** The code of a mailed link; null when there is none, or when it was cut off on its way. */
export function codeIn(search: string): string | null {
  return new URLSearchParams(search).get('oobCode')?.trim() || null;
}
