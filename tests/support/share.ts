import { isLong } from './howMany.ts'

/** Set by `npm test`: a number that another commit has otherwise. */
const share = process.env['WATCHROOM_TEST_SHARE']

/**
 * Whether this run takes one of many files, journeys or screens. A run that is not told its share, as of a file by its name, takes all.
 *
 * @param index of it among the others
 * @param parts of how many runs one takes it
 */
export const isTaken = (index: number, parts: number): boolean =>
  share === undefined || isLong() || index % parts === Number(share) % parts

/**
 * What this run takes of a matrix whose whole would take minutes: another part with the next commit, all of it with `--long`. Chosen by
 * another part of the number than files are: else a file that is taken with every fourth number had the same quarter each time.
 *
 * @param parts that make the whole
 */
export const shareOf = <T>(all: readonly T[], parts: number): readonly T[] =>
  all.filter((_, index) => isTaken(index + Math.floor(Number(share ?? 0) / 20), parts))
