// Between the tree that a backend answers and the rows of a page, which can change one by one.
import { type Chosen, choosePage } from './choosePage.ts'
import { type Component, ComponentFieldsSchema, type TopologyAnswer } from './component.ts'
import { SHOWN_CARDS, SHOWN_LEVELS, type ShownComponent } from './shownComponents.ts'
import { worstFirst } from './sortComponents.ts'

/** The row that stands for the page itself, and only says how much the page of those at the top leaves out. */
const PAGE_ID = ''

/**
 * The tree of a page as rows that can change one by one, with no more of them than a page carries: a backend that knows no limit answers
 * everything. Of one that stands in several places, the fullest.
 *
 * @param id of the component whose page it is; empty for those at the top
 */
export function toShownComponents(id: string, answer: TopologyAnswer): ShownComponent[] {
  const rows = new Map<string, ShownComponent>()
  const top = answer.components ?? []
  const visit = ({ components: inner, ...fields }: Component, isTop: boolean): void => {
    const shown = (inner ?? []).map((part) => part.id)
    const known = rows.get(fields.id)
    const isFuller = known === undefined || shown.length > known.shown.length || fields.created_at != null
    rows.set(fields.id, {
      ...(isFuller ? fields : known),
      is_top: isTop || known?.is_top === true,
      shown: known !== undefined && known.shown.length > shown.length ? known.shown : shown,
    })
    for (const child of inner ?? []) visit(child, false)
  }
  for (const component of top) visit(component, true)
  const order = (ids: readonly string[]): readonly string[] =>
    worstFirst(ids.flatMap((one) => rows.get(one) ?? [])).map((row) => row.id)
  const page = choosePage(
    {
      top: order(top.map((component) => component.id)),
      below: (one) => order(rows.get(one)?.shown ?? []),
      isHidden: (one) => rows.get(one)?.hidden === true,
      isOfOne: id !== '',
      depth: SHOWN_LEVELS,
    },
    SHOWN_CARDS,
  )
  const kept = new Set([...page.top.ids, ...[...page.below.values()].flatMap(({ ids }) => ids)])
  return [
    ...[...kept].flatMap((one) => {
      const [row, chosen] = [rows.get(one), page.below.get(one)]
      if (row === undefined) return []
      return chosen === undefined ? row : { ...row, shown: [...chosen.ids], ...addRest(row, chosen) }
    }),
    ...toPageRow(answer, page.top),
  ]
}

type Rest = Pick<TopologyAnswer, 'more' | 'more_hidden'>

/** How much is left out beside what a page or a card carries; without hidden ones for those who do not see them. */
export const toMore = ({ more, more_hidden: hidden }: Rest, isHiddenShown = true): number =>
  (more ?? 0) + (isHiddenShown ? (hidden ?? 0) : 0)

/** How much a page leaves out that shows those at the top. */
export const toPageRest = (rows: readonly ShownComponent[]): Rest => rows.find(({ id }) => id === PAGE_ID) ?? {}

/** The row of the page itself, where it leaves something out. */
export function toPageRow(given: Rest, rest: Chosen): ShownComponent[] {
  if (toMore(given) + rest.more + rest.moreHidden === 0) return []
  return [{ ...ComponentFieldsSchema.parse({ id: PAGE_ID }), is_top: false, shown: [], ...addRest(given, rest) }]
}

const addRest = (given: Rest, { more, moreHidden }: Chosen): Rest => ({
  more: (given.more ?? 0) + more || null,
  more_hidden: (given.more_hidden ?? 0) + moreHidden || null,
})

/** Cards as they were drawn last, so that one that is as it was stays the identical object. */
const drawn = new WeakMap<ShownComponent, Component>()

/** The cards of a page. A circle, which no answer has, ends at its first repetition. */
export function toCards(rows: readonly ShownComponent[]): Component[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const draw = (row: ShownComponent, above: readonly string[]): Component => {
    const { shown, is_top: _, ...fields } = row
    const components = shown.flatMap((id) => {
      const child = byId.get(id)
      return child === undefined || above.includes(id) ? [] : [draw(child, [...above, row.id])]
    })
    const before = drawn.get(row)
    if (before?.components?.length === components.length && before.components.every((c, at) => c === components[at])) {
      return before
    }
    const card = { ...fields, components }
    drawn.set(row, card)
    return card
  }
  return rows.filter((row) => row.is_top).map((row) => draw(row, [row.id]))
}
