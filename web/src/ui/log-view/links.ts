interface LinkInText {
  readonly href: string
  /** Where it begins, and where it has ended. */
  readonly from: number
  readonly to: number
}

/** Other schemes are never links (second specification, section 5). */
const LINK = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/g

export const toLinks = (text: string): LinkInText[] =>
  Array.from(text.matchAll(LINK), ({ 0: href, index }) => ({ href, from: index, to: index + href.length }))
