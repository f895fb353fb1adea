import { signOut } from '#web/api/session.ts';
import { navigate } from './location.ts';

/** Leaves on the person's own wish: the next one to sign in here starts afresh, not on the page left open. */
export function logOut(): void {
  navigate('/login');
  void signOut();
}
