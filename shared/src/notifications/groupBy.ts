const PLAIN = ['type', 'status_reason', 'description'] as const
const KEYED = /^(?:labels|tags):\S+$/

/** Whether a rule can fold its notifications by this: a word, or the value of a label or tag. */
export const isGroupKey = (text: string): boolean => PLAIN.some((word) => word === text) || KEYED.test(text)
