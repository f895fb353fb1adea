/** What is made when it is first asked for, and once: what most processes never need, or not yet, costs no start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
