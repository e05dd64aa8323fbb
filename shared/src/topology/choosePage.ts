/** Parts of a card that a page carries; the card itself lists fewer. */
const LISTED = 24
/** Rows of a page. What is below the cards gets what they leave, level by level: as much as a card lists is there for each of 120. */
const MAX_ROWS = 2_000

/** The first of many, and how many more there are. */
export interface Chosen {
  readonly ids: readonly string[]
  readonly more: number
  readonly moreHidden: number
}

export interface WholePage {
  readonly top: readonly string[]
  /** In the order in which the first are kept. @param level of the component, 1 for the top */
  readonly below: (id: string, level: number) => readonly string[]
  readonly isHidden: (id: string) => boolean
  /** The page of one component: that is its top, and its parts are the cards. */
  readonly isOfOne: boolean
  /** Levels. */
  readonly depth: number
}

export interface ChosenPage {
  readonly top: Chosen
  /** What stands below each component of the page. */
  readonly below: ReadonlyMap<string, Chosen>
}

/**
 * What a page carries of an estate out of all proportion: the first cards, the first parts of each, and the rest as figures. Hidden ones
 * are counted apart, so that as many are there for who shows them as for who does not.
 *
 * @param cards how many at most; without it a page carries everything
 */
export function choosePage({ top, below, isHidden, isOfOne, depth }: WholePage, cards = Infinity): ChosenPage {
  const chosenTop = chooseFirst(top, isOfOne ? top.length : cards, isHidden)
  const chosen = new Map<string, Chosen>()
  let level = chosenTop.ids
  let left = MAX_ROWS - level.length
  for (let at = 1; at < depth && level.length > 0; at += 1) {
    const areCards = isOfOne && at === 1
    const most = areCards || cards === Infinity ? cards : Math.min(LISTED, Math.max(0, Math.floor(left / level.length)))
    const next = new Set<string>()
    for (const id of level) {
      if (chosen.has(id)) continue
      const first = chooseFirst(below(id, at), most, isHidden)
      chosen.set(id, first)
      for (const part of first.ids) next.add(part)
    }
    level = [...next]
    left -= level.length
  }
  return { top: chosenTop, below: chosen }
}

function chooseFirst(ids: readonly string[], most: number, isHidden: (id: string) => boolean): Chosen {
  if (ids.length <= most) return { ids, more: 0, moreHidden: 0 }
  const kept: string[] = []
  let [seen, hidden] = [0, 0]
  for (const id of ids) {
    const isOut = isHidden(id) ? ++hidden > most : ++seen > most
    if (!isOut) kept.push(id)
  }
  return { ids: kept, more: Math.max(0, seen - most), moreHidden: Math.max(0, hidden - most) }
}
