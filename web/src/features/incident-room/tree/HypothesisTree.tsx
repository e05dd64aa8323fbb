import { Button } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { CommentView, EvidenceView, HypothesisView } from '@watchroom/shared/collab'
import { childType, SOLUTION_HAS_NO_CHILDREN } from '@watchroom/shared/incidents'
import { ownValue } from '@watchroom/shared/kernel'
import { type DragEvent, type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { attempt } from '../attempt.ts'
import { estimateComment } from '../comments/CommentItem.tsx'
import { currentOf } from '../currentOf.ts'
import { estimateEvidence } from '../evidence/EvidenceList.tsx'
import { DeleteHypothesisDialog } from './DeleteHypothesisDialog.tsx'
import { HypothesisDraftLine } from './HypothesisDraftLine.tsx'
import { HypothesisRow, type RowCommand } from './HypothesisRow.tsx'
import {
  createTreeLines,
  type DropZone,
  dropMove,
  type Move,
  type MoveDirection,
  stepMove,
  type TreeLine,
  withDescendants,
} from './moves.ts'
import { RemovedHypotheses } from './RemovedHypotheses.tsx'
import { type HypothesisDraft, useHypothesisDraft } from './useHypothesisDraft.ts'

import styles from '../incidentRoom.module.css'

interface HypothesisTreeProps {
  readonly incidentId: string
  /** Whether comments and evidence of all are open. */
  readonly areAllOpen: boolean
  /** The hypothesis to show; a new object shows it again. */
  readonly target: { readonly hypothesisId: string } | null
}

const NOTHING: ReadonlySet<string> = new Set()

const MOVE_KEYS: Record<string, MoveDirection> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** The action plan: causes, what contributes to them, and what may solve them. */
// oxlint-disable-next-line max-lines-per-function -- one widget: keys, focus, drafts and dragging read and change the same lines
export function HypothesisTree({ incidentId, areAllOpen, target }: HypothesisTreeProps) {
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  const childrenOf = useIncidentPart((room) => room.view.childrenOf)
  const comments = useIncidentPart((room) => room.view.comments)
  const evidence = useIncidentPart((room) => room.view.evidence)
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const setPlace = useIncidentPart((room) => room.setPlace)
  const [collapsed, setCollapsed] = useState(NOTHING)
  // Rows that differ from "expand all".
  const [exceptions, setExceptions] = useState(NOTHING)
  const [seen, setSeen] = useState({ areAllOpen, target: null as HypothesisTreeProps['target'] })
  const [activeId, setActiveId] = useState<string | null>(null)
  const [editingId, setEditingId] = useState<string | null>(null)
  const [deletingId, setDeletingId] = useState<string | null>(null)
  const kept = useHypothesisDraft(incidentId)
  // A draft from before is only for people who may still add it.
  const draft = canWrite || !kept.isRestored ? kept.draft : null
  const [notice, setNotice] = useState('')
  const [drop, setDrop] = useState<{ id: string; zone: DropZone } | null>(null)
  const dragged = useRef<string | null>(null)
  const plan = useRef<HTMLElement>(null)
  // The row to focus once it is on screen or, if `lines` is set, once the change just made to them is.
  const focusNext = useRef<{ id: string; lines: readonly TreeLine[] | null } | null>(null)

  // A target from outside opens whatever hides it.
  if (seen.areAllOpen !== areAllOpen || seen.target !== target) {
    setSeen({ areAllOpen, target })
    setCollapsed(NOTHING)
    if (seen.areAllOpen !== areAllOpen) setExceptions(NOTHING)
    if (target !== null && seen.target !== target) setActiveId(target.hypothesisId)
  }

  // Someone else removed it: if it comes back, it must not steal the caret.
  if (editingId !== null && hypotheses.get(editingId)?.removed) setEditingId(null)

  const view = useMemo(() => ({ hypotheses, childrenOf }), [hypotheses, childrenOf])
  const [toLines] = useState(createTreeLines)
  const lines = useMemo(() => toLines(view, collapsed), [toLines, view, collapsed])
  const active = lines.find(({ hypothesis }) => hypothesis.id === activeId) ?? lines[0]
  const deleting = deletingId === null ? undefined : hypotheses.get(deletingId)

  const focusRow = (id: string | undefined): void => {
    if (id === undefined) return
    setActiveId(id)
    const row = rowIn(plan.current, id)
    // In a long tree only rows near the window are rendered, but the active one always is.
    if (row === null) focusNext.current = { id, lines: null }
    else row.focus()
  }

  useLayoutEffect(() => {
    const next = focusNext.current
    // Until the lines change, the row is at its old place and would lose the focus again.
    if (next === null || next.lines === lines) return
    const row = rowIn(plan.current, next.id)
    if (row === null) return
    focusNext.current = null
    row.focus()
  })

  useEffect(() => {
    if (target === null) return
    const row = rowIn(plan.current, target.hypothesisId)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'center' })
  }, [target])

  const carryOut = (id: string, move: Move, done: string): void => {
    if (move.kind === 'refused') return setNotice(move.reason)
    focusNext.current = { id, lines }
    if (move.position.parentId !== null) setCollapsed(without(collapsed, move.position.parentId))
    const refusal = attempt(() => edit.moveHypothesis(id, move.position))
    if (refusal !== null) focusNext.current = null
    return setNotice(refusal ?? done)
  }

  const startDraft = (line: TreeLine, place: 'child' | 'sibling'): void => {
    const { hypothesis, level } = line
    if (place === 'sibling') {
      const { parentId, type, id } = hypothesis
      return kept.begin({ parentId, afterId: id, offered: type, behindId: id, level })
    }
    const type = childType(hypothesis.type)
    if (type === null) return setNotice(SOLUTION_HAS_NO_CHILDREN)
    setCollapsed(without(collapsed, hypothesis.id))
    const last = view.childrenOf.get(hypothesis.id)?.at(-1)?.id ?? null
    return kept.begin({
      parentId: hypothesis.id,
      afterId: last,
      offered: type,
      behindId: last ?? hypothesis.id,
      level: level + 1,
    })
  }

  const handleAdd = ({ title, type, parentId, afterId }: HypothesisDraft): string | null => {
    const refusal = attempt(() => {
      const id = edit.addHypothesis({ title: title.trim(), type, parentId, afterId })
      focusNext.current = { id, lines }
      setActiveId(id)
    })
    if (refusal === null) kept.end()
    return refusal
  }

  const handleCommand = useLatest((hypothesis: HypothesisView, command: RowCommand): void => {
    const { id } = hypothesis
    const line = lines.find((each) => each.hypothesis.id === id)
    setNotice('')
    switch (command.kind) {
      case 'edit':
        setActiveId(id)
        return setEditingId(id)
      case 'finishEditing':
        focusRow(id)
        return setEditingId(null)
      case 'leaveEditing':
        return setEditingId((editing) => (editing === id ? null : editing))
      case 'addChild':
        return line && startDraft(line, 'child')
      case 'addSibling':
        return line && startDraft(line, 'sibling')
      case 'delete':
        return setDeletingId(id)
      case 'toggleChildren':
        return setCollapsed(toggle(collapsed, id))
      case 'toggleDetails':
        return setExceptions(toggle(exceptions, id))
      case 'move':
        return carryOut(id, stepMove(view, id, command.direction), `Moved ${command.direction}`)
      case 'status':
        return setNotice(attempt(() => edit.setHypothesisStatus(id, command.status)) ?? '')
    }
  })

  const handleFocus = useLatest((focused: string): void => {
    setActiveId(focused)
    setPlace({ viewing: { entity: `hypotheses/${focused}` } })
  })

  const handleKeyDown = useLatest((event: KeyboardEvent<HTMLElement>, line: TreeLine): void => {
    const { hypothesis, childCount } = line
    const { id } = hypothesis
    const order = toOrder(event, canWrite)
    const index = lines.indexOf(line)
    const isOpen = childCount > 0 && !collapsed.has(id)
    if (order !== null) {
      event.preventDefault()
      return handleCommand(hypothesis, order)
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return undefined
    const step: Record<string, () => void> = {
      ArrowDown: () => focusRow(lines[index + 1]?.hypothesis.id),
      ArrowUp: () => focusRow(lines[index - 1]?.hypothesis.id),
      Home: () => focusRow(lines[0]?.hypothesis.id),
      End: () => focusRow(lines.at(-1)?.hypothesis.id),
      ArrowRight: () =>
        collapsed.has(id)
          ? setCollapsed(without(collapsed, id))
          : focusRow(isOpen ? lines[index + 1]?.hypothesis.id : undefined),
      ArrowLeft: () => (isOpen ? setCollapsed(toggle(collapsed, id)) : focusRow(hypothesis.parentId ?? undefined)),
    }
    const take = ownValue(step, event.key)
    if (!take) return undefined
    event.preventDefault()
    return take()
  })

  const handleDrag = useLatest((event: DragEvent<HTMLElement>, id: string): void => {
    switch (event.type) {
      case 'dragstart':
        dragged.current = id
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', hypotheses.get(id)?.title ?? '')
        return
      case 'dragover':
        // Something else, for example a file, is dragged over the page.
        if (dragged.current === null) return
        event.preventDefault()
        setDrop({ id, zone: toZone(event) })
        return
      case 'drop':
        if (dragged.current === null) return
        event.preventDefault()
        carryOut(dragged.current, dropMove(view, dragged.current, id, toZone(event)), 'Moved')
        dragged.current = null
        setDrop(null)
        return
      default:
        dragged.current = null
        setDrop(null)
    }
  })

  const draftBehind = draft?.behindId == null ? undefined : lastBelow(lines, draft.behindId)
  const addButton = (
    <Button
      icon={<Add />}
      text="Add hypothesis"
      onClick={() =>
        kept.begin({
          parentId: null,
          afterId: view.childrenOf.get('')?.at(-1)?.id ?? null,
          offered: 'root',
          behindId: null,
          level: 1,
        })
      }
    />
  )
  const draftLine =
    draft === null ? null : (
      <HypothesisDraftLine
        key={`${incidentId} ${kept.beginCount}`}
        draft={draft}
        takesFocus={!kept.isRestored}
        onChange={kept.change}
        onAdd={handleAdd}
        onCancel={() => {
          kept.end()
          focusRow(active?.hypothesis.id)
        }}
      />
    )

  return (
    <section ref={plan} className={styles['plan']} aria-label="Action plan">
      {lines.length === 0 && draft === null ? (
        <EmptyState title="No hypothesis yet" action={canWrite ? addButton : null}>
          What could be the cause?
        </EmptyState>
      ) : null}
      <VirtualRows
        as="div"
        role="tree"
        aria-label="Hypotheses"
        rows={lines}
        keyOf={idOf}
        estimate={(line) =>
          areAllOpen === exceptions.has(line.hypothesis.id)
            ? ROW_PX
            : ROW_PX + estimateDetails(line.hypothesis.id, comments, evidence)
        }
        layout={areAllOpen}
        pinned={[active?.hypothesis.id, editingId, draftBehind]}
        renderRow={(line) => {
          const { id } = line.hypothesis
          return (
            <>
              <HypothesisRow
                line={line}
                commentCount={currentOf(comments, id).length}
                evidenceCount={currentOf(evidence, id).length}
                isActive={line === active}
                isEditing={editingId === id}
                isCollapsed={collapsed.has(id)}
                areDetailsOpen={areAllOpen !== exceptions.has(id)}
                dropZone={drop?.id === id ? drop.zone : null}
                onCommand={handleCommand}
                onFocus={handleFocus}
                onKeyDown={handleKeyDown}
                onDrag={handleDrag}
              />
              {draftBehind === id ? draftLine : null}
            </>
          )
        }}
      />
      {draftBehind === undefined ? draftLine : null}
      <output className={styles['notice']} aria-live="polite" aria-label="Notice">
        {notice}
      </output>
      {lines.length > 0 && canWrite && draft === null ? <div className={styles['planFoot']}>{addButton}</div> : null}
      <RemovedHypotheses />
      {deleting ? (
        <DeleteHypothesisDialog
          title={deleting.title}
          isDisproven={deleting.status === 'disproven'}
          belowCount={withDescendants(view, deleting).length - 1}
          onClose={() => setDeletingId(null)}
          onDelete={() => {
            const index = lines.findIndex(({ hypothesis }) => hypothesis.id === deleting.id)
            setNotice(attempt(() => edit.removeHypothesis(deleting.id)) ?? '')
            setDeletingId(null)
            setActiveId(lines[index - 1]?.hypothesis.id ?? null)
          }}
          onDisprove={() => {
            setNotice(attempt(() => edit.setHypothesisStatus(deleting.id, 'disproven')) ?? '')
            setDeletingId(null)
          }}
        />
      ) : null}
    </section>
  )
}

function rowIn(tree: HTMLElement | null, id: string): HTMLElement | null {
  return tree?.querySelector<HTMLElement>(`[data-entity="hypotheses/${id}"]`) ?? null
}

/** The last row below a hypothesis, or its own; undefined if it is no longer shown. */
function lastBelow(lines: readonly TreeLine[], id: string): string | undefined {
  const at = lines.findIndex(({ hypothesis }) => hypothesis.id === id)
  const top = lines[at]
  if (top === undefined) return undefined
  const end = lines.findIndex(({ level }, index) => index > at && level <= top.level)
  return lines[(end === -1 ? lines.length : end) - 1]?.hypothesis.id
}

/** What a key on a row means, besides navigation. */
function toOrder({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, canWrite: boolean): RowCommand | null {
  if (ctrlKey || metaKey) return null
  if (key === ' ') return { kind: 'toggleDetails' }
  if (!canWrite) return null
  const direction = ownValue(MOVE_KEYS, key)
  if (altKey) return direction === undefined ? null : { kind: 'move', direction }
  if (key === 'Enter' || key === 'F2') return { kind: 'edit' }
  if (key === 'Delete') return { kind: 'delete' }
  if (key.toLowerCase() === 'n') return { kind: shiftKey ? 'addSibling' : 'addChild' }
  return null
}

/** The upper and lower quarters of a row stand for the gaps before and after it. */
function toZone(event: DragEvent<HTMLElement>): DropZone {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const share = (event.clientY - top) / (height || 1)
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'into'
}

const idOf = ({ hypothesis }: TreeLine): string => hypothesis.id

/** Same number as in incidentRoom.module.css. */
const ROW_PX = 44
/** Below the details, and the line of the comment box. */
const BOX_PX = 66

/** Estimated height of a hypothesis's comments and evidence, in pixels. */
function estimateDetails(id: string, comments: readonly CommentView[], evidence: readonly EvidenceView[]): number {
  const commentsPx = currentOf(comments, id).reduce((sum, comment) => sum + estimateComment(comment), 0)
  const evidencePx = currentOf(evidence, id).reduce((sum, each) => sum + estimateEvidence(each), 0)
  return commentsPx + evidencePx + BOX_PX
}

function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? toggle(ids, id) : ids
}
