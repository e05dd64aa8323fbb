/** Units of the memory input, the first is what a bare number gets (first specification, section 5). */
export const SIZE_UNITS = ['Mi', 'Gi', 'Ti'] as const

export interface SizeText {
  readonly amount: string
  readonly unit: string
}

/** Number and unit of a size as it is written. A unit that the input does not offer, such as `MB` or none, stays. */
export function splitSize(text: string): SizeText {
  const trimmed = text.trim()
  if (trimmed === '') return { amount: '', unit: SIZE_UNITS[0] }
  const match = /^(\d+(?:\.\d*)?)\s?([a-z]*)$/i.exec(trimmed)
  if (!match) return { amount: trimmed, unit: SIZE_UNITS[0] }
  const [, amount = '', unit = ''] = match
  return { amount, unit: unit === '' ? 'B' : unit }
}

/** Empty without a number. What is no number stays as it is, for the message that says so. */
export function joinSize({ amount, unit }: SizeText): string {
  const number = amount.trim()
  if (number === '' || !/^\d+(?:\.\d*)?$/.test(number)) return number
  return `${number}${unit}`
}
