import { useEffect, useEffectEvent, useRef, useState } from 'react'

import type { SaveResult } from './saveResult.ts'

interface EditedRowOptions<Row, Work> {
  /** The row as the server has it now, as far as is known. */
  current: Row
  isNewer: (row: Row, than: Row) => boolean
  isDirty: boolean
  /** Begins the form anew from a version. */
  onReset: (row: Row) => void
  /** Writes over `over`, and nothing when the server has another version by now. */
  save: (over: Row, work: Work) => Promise<SaveResult<Row>>
  /** Work of an earlier visit that was begun on another version than this one. */
  isBegunOnOther?: boolean
  /** Said when someone else deleted the row; what was typed stays. */
  goneText: string
}

export interface EditedRow<Row, Work> {
  /** The version that is being edited. */
  readonly base: Row
  /** Saved by someone else while this one was edited, and to be decided about. */
  readonly theirs: Row | null
  /** There is a newer version than the one being edited. */
  readonly isOutdated: boolean
  /** That version, or the one to be decided about; null while the newest is edited. */
  readonly newer: Row | null
  /**
   * @returns whether it was saved; if not, `theirs` says why
   * @throws Error when the row is gone
   */
  readonly save: (work: Work) => Promise<boolean>
  readonly keepEditing: () => void
  readonly takeTheirs: () => void
  /** From now on `save` writes over the version that was shown. */
  readonly overwriteTheirs: () => void
}

/** Edits a version of a row: follows what others save while nothing is typed, and overwrites nothing unseen. */
export function useEditedRow<Row, Work>(options: EditedRowOptions<Row, Work>): EditedRow<Row, Work> {
  const { current, isNewer, isDirty, isBegunOnOther = false, onReset, save, goneText } = options
  const [base, setBase] = useState(current)
  const [theirs, setTheirs] = useState<Row | null>(null)
  const over = useRef<Row | null>(null)
  const isOutdated = isNewer(current, base)

  // Nothing of one's own to lose: show what is saved.
  if (isOutdated && !isDirty) setBase(current)

  const begun = useRef(base)
  const begin = useEffectEvent(onReset)
  useEffect(() => {
    if (begun.current === base) return
    begun.current = base
    begin(base)
  }, [base])

  return {
    base,
    theirs,
    isOutdated,
    newer: theirs ?? (isOutdated ? current : null),
    save: async (work) => {
      // It must not slip through as if it were of this version.
      if (isBegunOnOther && over.current === null) {
        setTheirs(current)
        return false
      }
      const result = await save(over.current ?? base, work)
      over.current = null
      setTheirs(result.kind === 'changed' ? result.current : null)
      if (result.kind === 'gone') throw new Error(goneText)
      return result.kind === 'saved'
    },
    keepEditing: () => {
      over.current = null
      setTheirs(null)
    },
    takeTheirs: () => {
      if (theirs === null) return
      over.current = null
      setTheirs(null)
      // Work of an earlier visit stands over the version that is edited already.
      if (theirs === base) onReset(theirs)
      else setBase(theirs)
    },
    overwriteTheirs: () => {
      over.current = theirs
    },
  }
}
