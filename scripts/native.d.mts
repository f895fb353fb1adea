export interface Native {
  name: string;
  version: string;
}
export function unpinnedNative(system: { platform: string; arch: string }, root?: string): Native | null;
export function fetchNative(native: Native, npm: (args: string[]) => void, root?: string): void;
