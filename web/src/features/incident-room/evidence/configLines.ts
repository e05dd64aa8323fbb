/** Lines shown before and after each selected line (second specification, section 9). */
const CONTEXT_LINES = 3

export interface ConfigLine {
  /** As counted by whoever attached it. */
  readonly number: number
  readonly text: string
  readonly isSelected: boolean
}

/**
 * The selected lines with their context, in runs, between which lines are left out. Without any selected line, everything that
 * was kept is one run.
 */
export function toConfigRuns(
  lines: Readonly<Record<string, string>>,
  selectedLines: Readonly<Record<string, string>>,
): ConfigLine[][] {
  // A selected line may have been kept among the selected ones only.
  const texts = new Map<number, string>()
  for (const [key, text] of [...Object.entries(lines), ...Object.entries(selectedLines)]) {
    const number = Number(key)
    if (Number.isInteger(number)) texts.set(number, text)
  }
  const selected = Object.keys(selectedLines).map(Number)
  const isNear = (number: number): boolean =>
    selected.length === 0 || selected.some((chosen) => Math.abs(chosen - number) <= CONTEXT_LINES)

  const runs: ConfigLine[][] = []
  let last = Number.NaN
  for (const number of [...texts.keys()].filter(isNear).toSorted((a, b) => a - b)) {
    const line = { number, text: texts.get(number) ?? '', isSelected: Object.hasOwn(selectedLines, String(number)) }
    const run = number === last + 1 ? runs.at(-1) : undefined
    if (run) run.push(line)
    else runs.push([line])
    last = number
  }
  return runs
}
