import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'

import { clampPage, pageCount } from './pages.ts'

interface PaginationProps {
  /** Counted from 0. */
  pageIndex: number
  pageSize: number
  total: number
  pageSizes: readonly number[]
  onPageChange: (pageIndex: number) => void
  onPageSizeChange: (pageSize: number) => void
}

/** Moves through a paged list; words and order of the specification. */
export function Pagination({ pageIndex, pageSize, total, pageSizes, onPageChange, onPageSizeChange }: PaginationProps) {
  const pages = pageCount(total, pageSize)
  const last = pages - 1
  const [draft, setDraft] = useState('')
  const id = useId()

  function handleGo(event: FormEvent): void {
    event.preventDefault()
    const page = clampPage(draft, pages)
    if (page !== undefined) onPageChange(page - 1)
    setDraft('')
  }

  return (
    <nav className="wr-pagination" aria-label="Pages">
      <div className="wr-pagination-moves">
        <Button
          variant="minimal"
          text="<<"
          aria-label="First page"
          disabled={pageIndex <= 0}
          onClick={() => onPageChange(0)}
        />
        <Button
          variant="minimal"
          text="Previous"
          disabled={pageIndex <= 0}
          onClick={() => onPageChange(pageIndex - 1)}
        />
        <span className="wr-pagination-place" aria-live="polite">
          Page {pageIndex + 1} of {pages}
        </span>
        <Button
          variant="minimal"
          text="Next"
          disabled={pageIndex >= last}
          onClick={() => onPageChange(pageIndex + 1)}
        />
        <Button
          variant="minimal"
          text=">>"
          aria-label="Last page"
          disabled={pageIndex >= last}
          onClick={() => onPageChange(last)}
        />
      </div>
      <form className="wr-pagination-go" onSubmit={handleGo}>
        <div className="wr-pagination-field">
          <label htmlFor={`${id}-page`}>Go to page</label>
          <InputGroup
            id={`${id}-page`}
            inputMode="numeric"
            size="small"
            value={draft}
            placeholder={String(pageIndex + 1)}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
        </div>
        <div className="wr-pagination-field">
          <label htmlFor={`${id}-size`}>Rows per page</label>
          <HTMLSelect
            id={`${id}-size`}
            minimal
            value={pageSize}
            options={pageSizes.map((size) => ({ value: size, label: String(size) }))}
            onChange={(event) => onPageSizeChange(Number(event.currentTarget.value))}
          />
        </div>
      </form>
    </nav>
  )
}
