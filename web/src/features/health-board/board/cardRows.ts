import type { BoardLine } from './boardLines.ts'

export type CheckLine = Extract<BoardLine, { kind: 'check' }>
export type GroupLine = Extract<BoardLine, { kind: 'group' }>

/** One row of the card layout: the heading of a group, or cards side by side. */
export type CardRow =
  | { readonly kind: 'group'; readonly id: string; readonly line: GroupLine }
  | { readonly kind: 'cards'; readonly id: string; readonly cards: readonly CheckLine[] }

/** Lines as rows of cards. A row never mixes groups. */
export function toCardRows(lines: readonly BoardLine[], columns: number): CardRow[] {
  const rows: CardRow[] = []
  let cards: CheckLine[] = []
  const flush = (): void => {
    const [first] = cards
    if (first !== undefined) rows.push({ kind: 'cards', id: `cards:${first.id}`, cards })
    cards = []
  }
  for (const line of lines) {
    if (line.kind === 'group') {
      flush()
      rows.push({ kind: 'group', id: line.id, line })
      continue
    }
    if (cards.length === columns || (cards[0] !== undefined && cards[0].groupId !== line.groupId)) flush()
    cards.push(line)
  }
  flush()
  return rows
}

const idsOf = (row: CardRow): readonly string[] =>
  row.kind === 'group' ? [row.line.id] : row.cards.map(({ id }) => id)

/**
 * Where a key leads from a card or heading: sideways to the neighbor, up and down to the nearest of the next row.
 *
 * @returns null for keys that do not move, and at the edges
 */
export function moveInCards(rows: readonly CardRow[], activeId: string, key: string): string | null {
  const at = rows.findIndex((row) => idsOf(row).includes(activeId))
  if (at < 0) return null
  const flat = rows.flatMap(idsOf)
  const index = flat.indexOf(activeId)
  const column = idsOf(rows[at] as CardRow).indexOf(activeId)
  const inRow = (to: number): string | null => {
    const row = rows[to]
    return row === undefined ? null : (idsOf(row)[Math.min(column, idsOf(row).length - 1)] ?? null)
  }
  switch (key) {
    case 'ArrowRight':
      return flat[index + 1] ?? null
    case 'ArrowLeft':
      return flat[index - 1] ?? null
    case 'ArrowDown':
    case 'j':
      return inRow(at + 1)
    case 'ArrowUp':
    case 'k':
      return inRow(at - 1)
    case 'Home':
      return flat[0] ?? null
    case 'End':
      return flat.at(-1) ?? null
    default:
      return null
  }
}
