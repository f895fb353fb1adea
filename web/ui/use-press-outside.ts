import { useEffect, useEffectEvent } from 'react';

/** Calls back when the pointer goes down outside of what `isInside` tells, as long as `active`. */
export function usePressOutside(active: boolean, isInside: (target: Node) => boolean, onPress: () => void): void {
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !isInside(target)) onPress();
  });
  useEffect(() => {
    if (!active) return;
    const listener = (event: PointerEvent) => press(event);
    window.addEventListener('pointerdown', listener, { capture: true });
    return () => window.removeEventListener('pointerdown', listener, { capture: true });
  }, [active]);
}
