/** Characters of every make: letters, accents, emoji of one and of many code points, flags, right-to-left and Indic letters. */
const CHARACTERS = [
  'a',
  'b',
  ' ',
  'e\u0301',
  'e',
  '\u0301',
  '\u{1F600}',
  '\u{1F601}',
  '\u{1FA00}',
  '\u{1F44D}\u{1F3FB}',
  '\u{1F44D}\u{1F3FF}',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u{1F468}\u200D\u{1F469}',
  '\u{1F1E9}\u{1F1EA}',
  '\u{1F1E9}\u{1F1F0}',
  '\u2764\uFE0F',
  '\u05D0',
  '\u0915\u094D\u0937',
  '\r\n',
  '障',
] as const

/** Up to `most` of them. */
export function randomText(random: () => number, most = 6): string {
  const count = Math.floor(random() * (most + 1))
  return Array.from({ length: count }, () => CHARACTERS[Math.floor(random() * CHARACTERS.length)]).join('')
}
