/** The provider's own time, which can be moved ahead. */
export interface Clock {
  /** Unix seconds. */
  now(): number;
  /** Milliseconds by which redelivery is timed: these run on also when the clock is frozen. */
  deliveryNow(): number;
  /** How far it has been moved, in milliseconds. */
  readonly moved: number;
  /** Runs the work as if it were that moment. */
  at<T>(moment: number, work: () => T): T;
  /** Sets the time that it shows when nothing is being settled. */
  moveTo(moment: number): void;
}

/** @param frozenAt stands still there (unix seconds) unless moved; absent: runs with real time */
export function createClock(frozenAt?: number, movedBefore = 0): Clock {
  let pinned: number | null = null;
  let frozen = frozenAt === undefined ? null : frozenAt + Math.floor(movedBefore / 1000);
  let moved = movedBefore;
  const shown = () => frozen ?? Math.floor((Date.now() + moved) / 1000);
  return {
    now: () => pinned ?? shown(),
    deliveryNow: () => Date.now() + moved,
    get moved() {
      return moved;
    },
    at(moment, work) {
      const before = pinned;
      pinned = moment;
      try {
        return work();
      } finally {
        pinned = before;
      }
    },
    moveTo(moment) {
      const ahead = moment - shown();
      if (ahead < 0) throw new Error('the clock can only be moved ahead');
      moved += ahead * 1000;
      if (frozen !== null) frozen = moment;
    },
  };
}
