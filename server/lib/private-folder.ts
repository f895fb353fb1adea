import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';

/**
 * Makes the folder, or one that is there, our user's alone. Left as it is where it is plainly used for other things,
 * too: another user's, one that everybody may write to, the home or the working directory.
 */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid, gid } = await stat(folder);
  const isShared = (mode & 0o1000) !== 0 || [homedir(), process.cwd()].includes(folder);
  if (uid !== process.getuid?.() || isShared) return;
  // Root lets the database's user through by the group, which is that user's alone.
  const kept = uid === 0 && gid !== 0 ? 0o710 : 0o700;
  if ((mode & 0o777 & ~kept) !== 0) await chmod(folder, mode & kept);
}
