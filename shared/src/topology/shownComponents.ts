import { z } from 'zod'

import { type Component, ComponentFieldsSchema } from './component.ts'

/** A component on a page. What is below it on that page is named; the same one may be below several. */
export const ShownComponentSchema = ComponentFieldsSchema.extend({
  /** Stands for itself on the page, not in a card. */
  is_top: z.boolean().catch(false),
  /** Ids of those that its card lists. */
  shown: z.array(z.string()).catch([]),
})
export type ShownComponent = z.infer<typeof ShownComponentSchema>

/** Levels of a page: the card, what it lists, and what that is made of. */
export const SHOWN_LEVELS = 3

/** The tree of a page as rows that can change one by one. Of one that stands in several places, the fullest. */
export function toShownComponents(components: readonly Component[]): ShownComponent[] {
  const rows = new Map<string, ShownComponent>()
  const visit = ({ components: inner, ...fields }: Component, isTop: boolean): void => {
    const shown = (inner ?? []).map(({ id }) => id)
    const known = rows.get(fields.id)
    const isFuller = known === undefined || shown.length > known.shown.length || fields.created_at != null
    rows.set(fields.id, {
      ...(isFuller ? fields : known),
      is_top: isTop || known?.is_top === true,
      shown: known !== undefined && known.shown.length > shown.length ? known.shown : shown,
    })
    for (const child of inner ?? []) visit(child, false)
  }
  for (const component of components) visit(component, true)
  return [...rows.values()]
}

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
