import { Button, Checkbox } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { memo, type MouseEvent, type ReactNode } from 'react'

import type { FlatSearch } from '../../url/searchParams.ts'
import { Cell } from './Cell.tsx'
import { isNumeric } from './column.ts'
import type { RowAction } from './RowActions.tsx'
import { RowMenu } from './RowMenu.tsx'
import { toText } from './sortRows.ts'
import type { CellColumn } from './useTableModel.ts'

import styles from './ResourceTable.module.css'

/** Where a row leads: another page, or this one with something open. */
export interface RowLink {
  readonly to: string
  readonly search?: (current: FlatSearch) => FlatSearch
}

/** What rows of a table can do. The same object for all of them. */
export interface RowTraits<Row> {
  readonly link: ((row: Row) => RowLink | null) | undefined
  readonly actions: ((row: Row) => readonly RowAction[]) | undefined
  readonly hasDetails: boolean
  readonly onToggleDetails: (key: string) => void
  /** Null where rows cannot be selected. */
  readonly selection: {
    readonly canSelect: ((row: Row) => boolean) | undefined
    readonly onSelect: (key: string, isRange: boolean) => void
  } | null
}

interface RowCellsProps<Row> {
  row: Row
  rowKey: string
  columns: readonly CellColumn<Row>[]
  traits: RowTraits<Row>
  isExpanded: boolean
  isSelected: boolean
}

function Cells<Row>({ row, rowKey, columns, traits, isExpanded, isSelected }: RowCellsProps<Row>): ReactNode {
  const main = columns.find(({ isMain }) => isMain)
  const name = toText(main?.column.value(row))
  const actions = traits.actions?.(row)
  const { selection } = traits
  return (
    <>
      {selection ? (
        <td className={`${styles['tool']} ${styles['select']}`}>
          {selection.canSelect?.(row) === false ? null : (
            <Checkbox
              label={`Select ${name}`}
              checked={isSelected}
              data-row-handle={(traits.link === undefined && !traits.hasDetails) || undefined}
              // Comes before the change, and knows of Shift.
              onClick={(event: MouseEvent) => selection.onSelect(rowKey, event.shiftKey)}
              onChange={() => undefined}
            />
          )}
        </td>
      ) : null}
      {traits.hasDetails ? (
        <td className={styles['tool']}>
          <Button
            variant="minimal"
            size="small"
            icon={isExpanded ? <ChevronDown /> : <ChevronRight />}
            aria-label={`Details of ${name}`}
            aria-expanded={isExpanded}
            data-row-handle={traits.link === undefined || undefined}
            onClick={() => traits.onToggleDetails(rowKey)}
          />
        </td>
      ) : null}
      {columns.map(({ column, isMain }) => {
        const content = column.render?.(row) ?? (
          <Cell kind={column.kind} value={column.value(row)} labelsShown={column.labelsShown} />
        )
        const attributes = {
          'data-kind': column.kind,
          'data-title': column.title,
          'data-column': column.key,
          'data-wrapped': column.isWrapped,
          'data-number': isNumeric(column.kind) || undefined,
        }
        return isMain ? (
          <th key={column.key} scope="row" className={styles['main']} {...attributes}>
            <RowHandle target={traits.link?.(row) ?? null}>{content}</RowHandle>
            {column.note ? <div className={styles['note']}>{column.note(row)}</div> : null}
          </th>
        ) : (
          <td key={column.key} {...attributes}>
            {content}
          </td>
        )
      })}
      {actions ? (
        <td className={styles['tool']}>{actions.length === 0 ? null : <RowMenu name={name} actions={actions} />}</td>
      ) : null}
    </>
  )
}

/** A change of one row renders that row's cells alone. */
export const RowCells = memo(Cells) as typeof Cells

function RowHandle({ target, children }: { target: RowLink | null; children: ReactNode }): ReactNode {
  if (target === null) return children
  return (
    <Link
      to={target.to}
      {...(target.search === undefined ? {} : { search: target.search, resetScroll: false })}
      className={styles['link']}
      data-row-handle
    >
      {children}
    </Link>
  )
}

/**
 * Makes the whole row the link that it holds, new tabs included. A control in the row, a card that floats above it and a
 * text that is being selected are not meant.
 */
export function followRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target as Element
  const row = target.closest('tr[data-row]')
  const handle = row?.querySelector<HTMLElement>('[data-row-handle]')
  if (!handle || handle instanceof HTMLInputElement || !event.currentTarget.contains(row)) return
  if (event.defaultPrevented) return
  if (target.closest('a, button, input, label, select') !== null) return
  if (window.getSelection()?.isCollapsed === false) return
  const wantsNewTab = event.button === 1 || event.ctrlKey || event.metaKey
  if (wantsNewTab && handle instanceof HTMLAnchorElement) window.open(handle.href, '_blank', 'noopener')
  else if (event.button === 0 && !event.shiftKey) handle.click()
}
