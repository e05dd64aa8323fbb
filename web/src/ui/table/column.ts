import type { ReactNode } from 'react'

/** How a cell shows its value. `actions` stands for controls: it has no heading to see and is never folded away. */
export type CellKind =
  | 'text'
  | 'code'
  | 'status'
  | 'time'
  | 'duration'
  | 'number'
  | 'person'
  | 'labels'
  | 'tags'
  | 'link'
  | 'actions'

/** Value of a cell of the kind `link`. */
export interface LinkValue {
  readonly text: string
  readonly href: string
}

export interface TableColumn<Row> {
  /** Its name in the address (`sortBy`) and in what this browser keeps. */
  readonly key: string
  readonly title: string
  readonly kind: CellKind
  /** What the cell shows in the way of its kind, and what rows are ordered by. */
  readonly value: (row: Row) => unknown
  /** Draws the cell in a way of its own. */
  readonly render?: (row: Row) => ReactNode
  readonly isSortable?: boolean
  /** Names the row: takes the room that is left, holds the row's link, heads the card on a phone. */
  readonly isMain?: boolean
  /** Pixels in long tables, where contents cannot decide. */
  readonly width?: number
  readonly isHiddenAtFirst?: boolean
  /** Of labels and tags so many are named, the others counted. */
  readonly labelsShown?: number
  /** Below the name of a row, beside its link. */
  readonly note?: (row: Row) => ReactNode
  /** Long texts stand in full, on as many lines as they need. */
  readonly isWrapped?: boolean
}

/** Widths in pixels of long tables, whose rows are not all there to be measured. */
export const KIND_WIDTH: Record<CellKind, number> = {
  text: 180,
  code: 150,
  status: 130,
  time: 110,
  duration: 104,
  number: 104,
  person: 160,
  labels: 280,
  tags: 220,
  link: 160,
  actions: 56,
}

export const isNumeric = (kind: CellKind): boolean => kind === 'number' || kind === 'duration'

/** The column that names a row. */
export function mainColumn<Row>(columns: readonly TableColumn<Row>[]): TableColumn<Row> | undefined {
  return columns.find(({ isMain }) => isMain) ?? columns[0]
}
