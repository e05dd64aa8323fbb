/** Widths of cards in CSS pixels (third specification, section 9). */
export const CARD_SIZES = { small: 198, medium: 258, large: 356, extra_large: 554 } as const

const CARD_WIDTH = { min: 250, max: 768, step: 2 } as const

/** The nearest width that the slider has. What is no number is extra large. */
export function toCardWidth(value: unknown): number {
  const width = typeof value === 'number' ? value : Number.parseFloat(String(value))
  if (!Number.isFinite(width)) return CARD_SIZES.extra_large
  const { min, max, step } = CARD_WIDTH
  return Math.min(max, Math.max(min, Math.round(width / step) * step))
}
