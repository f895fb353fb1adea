/** A promise of the product that was not kept. */
export class Violation extends Error {}
