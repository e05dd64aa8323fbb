/** Set by `npm run test:fault -- --long` and `npm run test:fuzz -- --long`. */
const LONG = 'WATCHROOM_TEST_LONG'

/**
 * How often a test repeats what it does with other randomness.
 *
 * @param variable of the environment, which says the number itself
 * @param short of every `npm test`
 * @param long of a run that asked for it
 */
export function howMany(variable: string, { short, long }: { short: number; long: number }): number {
  return Number(process.env[variable] ?? (process.env[LONG] === undefined ? short : long))
}
