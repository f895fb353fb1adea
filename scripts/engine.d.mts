/** Of Node. */
export const engineFlags: readonly string[];
/** Of the environment, where it does not say otherwise. */
export const engineSettings: Readonly<Record<string, string>>;
