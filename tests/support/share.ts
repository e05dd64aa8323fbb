import { isLong } from './howMany.ts'

/** Set by `npm test`: a number that another commit has otherwise. */
const SHARE = Number(process.env['WATCHROOM_TEST_SHARE'] ?? 0)

/**
 * What this run takes of a matrix whose whole would take minutes: another part with the next commit, all of it with `--long`.
 *
 * @param parts that make the whole
 */
export const shareOf = <T>(all: readonly T[], parts: number): readonly T[] =>
  isLong() ? all : all.filter((_, index) => index % parts === SHARE % parts)
