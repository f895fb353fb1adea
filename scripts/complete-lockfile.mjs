// Run after `npm install` has changed the lockfile. A registry that lacks a package for another platform makes npm leave
// it out, and `npm ci` then refuses the whole lockfile. This adds what is missing, with the platform that its name tells.
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'riscv64', 'ppc64', 's390x', 'ia32', 'wasm32', 'x64', 'arm'];

for (const [folder, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(folder, name)) continue;
    const platform = name.split('/').at(-1);
    const os = systems.find((each) => platform.includes(each));
    const cpu = processors.find((each) => platform.includes(each));
    const libc = platform.includes('musl') ? 'musl' : platform.includes('gnu') ? 'glibc' : undefined;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ''),
      optional: true,
      ...(entry.dev && { dev: true }),
      ...(cpu && { cpu: [cpu] }),
      ...(os && { os: [os] }),
      ...(os === 'linux' && libc && { libc: [libc] }),
    };
    console.log(`added ${name}`);
  }
}
const { '': root, ...packages } = lock.packages;
const sorted = Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(sorted) } }, null, 2)}\n`);

/** Whether a package of this name lies in the folder's node_modules or in one further up. */
function isLocked(folder, name) {
  const parts = folder === '' ? [] : folder.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth--) {
    const above = parts.slice(0, depth).join('/node_modules/');
    if (lock.packages[`${above === '' ? '' : `${above}/`}node_modules/${name}`]) return true;
  }
  return false;
}
