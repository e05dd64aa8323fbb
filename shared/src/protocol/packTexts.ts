// Names and addresses that machines made differ in their numbers: the text without them is sent once, and a number that
// stands in the name and in the address again costs nothing.

/** Stands for a number taken out. A control character that JSON writes as it is; a text that holds one is left alone. */
const HOLE = '\u007F'
/** Whole numbers as JavaScript would write them: what comes back must be what was sent, so `007` stays in the text. */
const NUMBERS = /(?<!\d)(?:0|[1-9]\d{0,14})(?!\d)/g
/** Fewer texts than this share one form: then taking their numbers out costs more than it saves. */
const MIN_SHARED = 4

export interface Texts {
  /** The texts, holes for their numbers. */
  readonly forms: string[]
  /** The first numbers of the texts that have one, the second numbers, and so on. */
  readonly numbers: number[][]
}

/** Null when it is not worth it. */
export function takeOutNumbers(texts: readonly string[]): Texts | null {
  if (texts.some((text) => text.includes(HOLE))) return null
  const numbers: number[][] = []
  const forms = texts.map((text) => {
    let hole = 0
    return text.replace(NUMBERS, (digits) => {
      ;(numbers[hole] ??= []).push(Number(digits))
      hole += 1
      return HOLE
    })
  })
  const isWorthIt = numbers.length > 0 && new Set(forms).size * MIN_SHARED <= texts.length
  return isWorthIt ? { forms, numbers } : null
}

/** The texts that `takeOutNumbers` took apart. */
export function putInNumbers({ forms, numbers }: Texts): string[] {
  const taken = numbers.map(() => 0)
  let form = ''
  let parts = ['']
  return forms.map((next) => {
    // Neighbors mostly share their form.
    if (next !== form) {
      form = next
      parts = form.split(HOLE)
    }
    let text = parts[0] ?? ''
    for (let hole = 1; hole < parts.length; hole++) {
      const at = taken[hole - 1] ?? 0
      taken[hole - 1] = at + 1
      text += `${numbers[hole - 1]?.[at] ?? 0}${parts[hole] ?? ''}`
    }
    return text
  })
}
