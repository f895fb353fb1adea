import fc from 'fast-check';

/**
 * fast-check, with the same inputs in each run: a change is judged by what it does, not by what was drawn that day.
 * `FAST_CHECK_SEED=random npm test` looks for new ones; what fails says its seed, which can be given here again.
 */
const asked = process.env.FAST_CHECK_SEED;
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked ?? 1) });

export default fc;
