import type { Chosen } from './choosePage.ts'
import type { RolledUp } from './createTopologyGraph.ts'
import { chooseComponents, toRest } from './cutTopology.ts'
import { type ComponentRow, drawComponent, type Estate } from './drawComponent.ts'
import { toPageRow } from './pageRows.ts'
import { SHOWN_CARDS, SHOWN_LEVELS, type ShownComponent } from './shownComponents.ts'

/** A page as rows that can change one by one, and of what each was drawn. */
export interface DrawnPage {
  readonly rows: ReadonlyMap<string, ShownComponent>
  readonly models: ReadonlyMap<string, Model>
}

interface Model {
  readonly component: ComponentRow
  readonly rolled: RolledUp | undefined
  readonly isTop: boolean
  readonly isWhole: boolean
  /** What stands below it on the page. */
  readonly parts: Chosen | undefined
}

/**
 * The rows that `toShownComponents` makes of the page as `cutTopology` cuts it, without the tree in between.
 *
 * @param id of the component whose page it is; empty for those at the top
 * @param before the same page, where since then nobody was renamed and everything hangs together as it did: rows that are as they were stay
 * the identical objects
 */
export function cutRows(estate: Estate, id: string, before: DrawnPage | null): DrawnPage {
  const { rows: components, graph } = estate
  const { page, countParts, isWhole } = chooseComponents(estate, {
    ...(id === '' ? {} : { id }),
    depth: SHOWN_LEVELS,
    limit: SHOWN_CARDS,
    sortBy: 'status',
    sortOrder: 'desc',
  })
  const tops = new Set(page.top.ids)
  const whole = new Set(isWhole(2) ? [...tops, ...page.top.ids.flatMap((top) => page.below.get(top)?.ids ?? [])] : tops)
  const rows = new Map<string, ShownComponent>()
  const models = new Map<string, Model>()
  for (const one of new Set([...tops, ...[...page.below.values()].flatMap(({ ids }) => ids)])) {
    const component = components.get(one)
    if (component === undefined) continue
    const model = {
      component,
      rolled: graph.get(one),
      isTop: tops.has(one),
      isWhole: whole.has(one),
      parts: page.below.get(one) ?? countParts(one),
    }
    models.set(one, model)
    const [known, was] = [before?.rows.get(one), before?.models.get(one)]
    rows.set(one, known && was && isSame(was, model) ? known : drawRow(estate, one, model))
  }
  for (const row of toPageRow({}, page.top)) rows.set(row.id, row)
  return { rows, models }
}

function drawRow(estate: Estate, id: string, { isTop, isWhole, parts }: Model): ShownComponent {
  const component = drawComponent(estate, id, isWhole)
  const shown = [...(parts?.ids ?? [])]
  return {
    ...component,
    ...(component.children && { children: shown }),
    ...(parts && toRest(parts)),
    is_top: isTop,
    shown,
  }
}

const isSame = (a: Model, b: Model): boolean =>
  a.component === b.component &&
  a.rolled === b.rolled &&
  a.isWhole === b.isWhole &&
  a.parts?.more === b.parts?.more &&
  a.parts?.moreHidden === b.parts?.moreHidden &&
  a.parts?.ids.length === b.parts?.ids.length &&
  (a.parts?.ids.every((id, index) => id === b.parts?.ids[index]) ?? true)
