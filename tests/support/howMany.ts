/** Set by `--long`, of `npm test` and of each suite. */
const LONG = 'WATCHROOM_TEST_LONG'
export const isLong = (): boolean => process.env[LONG] !== undefined

/**
 * How often a test repeats what it does with other randomness.
 *
 * @param variable of the environment, which says the number itself
 * @param short of every `npm test`
 * @param long of a run that asked for it
 */
export function howMany(variable: string, { short, long }: { short: number; long: number }): number {
  return Number(process.env[variable] ?? (isLong() ? long : short))
}
