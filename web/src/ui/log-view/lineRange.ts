/** Lines that someone marked, counted from 1, both ends included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

const RANGE = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/

/** `12` or `12-20`, as an address has it. */
export function tryParseLineRange(text: string): LineRange | null {
  const match = RANGE.exec(text)
  if (match === null) return null
  const [one, other = one] = [Number(match[1]), match[2] === undefined ? undefined : Number(match[2])]
  return toRange(one, other)
}

export const formatLineRange = ({ from, to }: LineRange): string => (from === to ? `${from}` : `${from}-${to}`)

/** Two lines in either order. */
export const toRange = (one: number, other: number): LineRange => ({
  from: Math.min(one, other),
  to: Math.max(one, other),
})
