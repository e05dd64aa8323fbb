// What a program printed for a terminal, as text that a page can show. Colors are kept; whatever else moves a cursor, sets a title or
// hides text is taken out, and control characters become pictures of themselves. Pure.

export const ANSI_COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'gray'] as const
export type AnsiColor = (typeof ANSI_COLORS)[number]

/** How a piece of text looks. Absent: like the page. */
export interface AnsiStyle {
  readonly color?: AnsiColor | undefined
  readonly background?: AnsiColor | undefined
  readonly isBold?: boolean
  readonly isDim?: boolean
  readonly isItalic?: boolean
  readonly isUnderlined?: boolean
  readonly isStruck?: boolean
  readonly isInverse?: boolean
}

export const PLAIN: AnsiStyle = {}

export interface AnsiSegment {
  readonly text: string
  readonly style: AnsiStyle
}

interface ParsedLine {
  readonly segments: readonly AnsiSegment[]
  /** In force behind the line: the next one begins with it. */
  readonly end: AnsiStyle
}

/* oxlint-disable no-control-regex -- control characters are what is looked for here */
/** Anything that is not plain text: C0 but for the tab, C1, and the marks that turn the direction of text around. */
const SPECIAL = /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/
const EACH_SPECIAL = new RegExp(SPECIAL, 'g')
/**
 * A sequence of control: with its parameters and its last letter where it is a CSI; a string such as a title; or a short one. A
 * string without its end is none: it would hide the rest of what was printed.
 */
const SEQUENCE =
  /(?:\u001B\[|\u009B)([0-?]*)[ -/]*([@-~])|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[ -/]+[0-~]|\u001B[0-9=>A-OQ-WYZ\\a-~]/g
/* oxlint-enable no-control-regex */

/** @param start in force before the line */
export function parseAnsi(line: string, start: AnsiStyle = PLAIN): ParsedLine {
  if (!SPECIAL.test(line)) return { segments: line === '' ? [] : [{ text: line, style: start }], end: start }
  // Windows ends its lines with one of these, which says nothing.
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  let segments: AnsiSegment[] = []
  let style = start
  let from = 0
  const take = (piece: string): void => {
    const parts = piece.split('\r')
    // Back at the beginning of the line: a terminal shows what was written last.
    if (parts.length > 1) segments = []
    const shown = (parts.at(-1) ?? '').replaceAll(EACH_SPECIAL, toPicture)
    if (shown !== '') segments.push({ text: shown, style })
  }
  for (const match of text.matchAll(SEQUENCE)) {
    take(text.slice(from, match.index))
    from = match.index + match[0].length
    if (match[2] === 'm') style = applyCodes(style, match[1] ?? '')
  }
  take(text.slice(from))
  return { segments, end: style }
}

/** The words of a line without their looks, for search, copies and screen readers. */
export function toPlainText(line: string): string {
  return SPECIAL.test(line)
    ? parseAnsi(line)
        .segments.map(({ text }) => text)
        .join('')
    : line
}

function toPicture(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code)
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

function applyCodes(before: AnsiStyle, text: string): AnsiStyle {
  const codes = text.split(/[;:]/).map(Number)
  let style = before
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const color = toExtendedColor(codes.slice(index + 1))
      index += color.length
      style = code === 38 ? { ...style, color: color.value } : { ...style, background: color.value }
    } else style = applyCode(style, code)
  }
  return style
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { ...style, color: ANSI_COLORS[code - 30] }
  if (code >= 40 && code <= 47) return { ...style, background: ANSI_COLORS[code - 40] }
  if (code >= 90 && code <= 97) return { ...style, color: toBright(code - 90) }
  if (code >= 100 && code <= 107) return { ...style, background: toBright(code - 100) }
  switch (code) {
    case 0:
      return PLAIN
    case 1:
      return { ...style, isBold: true }
    case 2:
      return { ...style, isDim: true }
    case 3:
      return { ...style, isItalic: true }
    case 4:
      return { ...style, isUnderlined: true }
    case 7:
      return { ...style, isInverse: true }
    case 9:
      return { ...style, isStruck: true }
    case 22:
      return { ...style, isBold: false, isDim: false }
    case 23:
      return { ...style, isItalic: false }
    case 24:
      return { ...style, isUnderlined: false }
    case 27:
      return { ...style, isInverse: false }
    case 29:
      return { ...style, isStruck: false }
    case 39:
      return { ...style, color: undefined }
    case 49:
      return { ...style, background: undefined }
    default:
      return style
  }
}

/** Bright black is gray. Other bright colors would be too pale on one of the themes. */
const toBright = (index: number): AnsiColor | undefined => (index === 0 ? 'gray' : ANSI_COLORS[index])

/** Codes behind 38 and 48, and how many of them there are: the closest color that can be read on both themes. */
function toExtendedColor([kind, one = 0, two = 0, three = 0]: readonly number[]): {
  value: AnsiColor | undefined
  length: number
} {
  if (kind === 2) return { value: toClosest(one, two, three), length: 4 }
  if (kind !== 5) return { value: undefined, length: 0 }
  if (one < 8) return { value: ANSI_COLORS[one], length: 2 }
  if (one < 16) return { value: toBright(one - 8), length: 2 }
  if (one > 231) {
    const level = 8 + (one - 232) * 10
    return { value: toClosest(level, level, level), length: 2 }
  }
  const cube = one - 16
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40)
  return {
    value: toClosest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)),
    length: 2,
  }
}

/** Less difference between its parts than this makes a gray. */
const GRAY_WITHIN = 32

function toClosest(red: number, green: number, blue: number): AnsiColor | undefined {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  if (most - least < GRAY_WITHIN) return most < 85 ? 'black' : most < 170 ? 'gray' : 'white'
  const middle = (most + least) / 2
  // The order of the colors counts in these parts: 1 is red, 2 green, 4 blue.
  return ANSI_COLORS[(red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)]
}
