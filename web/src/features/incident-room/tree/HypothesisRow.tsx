import { Button, HTMLSelect, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core'
import {
  Add,
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Chat,
  DragHandleVertical,
  Edit,
  More,
  Paperclip,
  Trash,
} from '@blueprintjs/icons'
import type { HypothesisView } from '@watchroom/shared/collab'
import {
  childType,
  HYPOTHESIS_STATUSES,
  type HypothesisStatus,
  SOLUTION_HAS_NO_CHILDREN,
  toLabel,
} from '@watchroom/shared/incidents'
import { type DragEvent, type KeyboardEvent, memo, type ReactElement, useId } from 'react'

import { CollabText } from '../../../collab/CollabText.tsx'
import { NotSaved } from '../../../collab/NotSaved.tsx'
import { PeerRing } from '../../../collab/PeerRing.tsx'
import { PresenceAvatars } from '../../../collab/PresenceAvatars.tsx'
import { TouchMark } from '../../../collab/TouchMark.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { usePeersAt, usePeersEditing } from '../../../collab/usePeers.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ArrowMenu } from '../components/ArrowMenu.tsx'
import { hypothesisTitle, UNTITLED } from '../hypothesisTitle.ts'
import { HYPOTHESIS_TYPE_WORDS } from '../words.ts'
import { CertaintyGlyph } from './CertaintyGlyph.tsx'
import { HypothesisDetails } from './HypothesisDetails.tsx'
import { toLevelStyle } from './levelStyle.ts'
import { type DropZone, type MoveDirection, stepMove, type TreeLine } from './moves.ts'

import styles from '../incidentRoom.module.css'

export type RowCommand =
  | {
      kind:
        | 'edit'
        | 'finishEditing'
        | 'leaveEditing'
        | 'addChild'
        | 'addSibling'
        | 'delete'
        | 'toggleChildren'
        | 'toggleDetails'
    }
  | { kind: 'move'; direction: MoveDirection }
  | { kind: 'status'; status: HypothesisStatus }

interface HypothesisRowProps {
  readonly line: TreeLine
  readonly commentCount: number
  readonly evidenceCount: number
  readonly isActive: boolean
  readonly isEditing: boolean
  readonly isCollapsed: boolean
  readonly areDetailsOpen: boolean
  readonly dropZone: DropZone | null
  readonly onCommand: (hypothesis: HypothesisView, command: RowCommand) => void
  readonly onFocus: (hypothesisId: string) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, line: TreeLine) => void
  readonly onDrag: (event: DragEvent<HTMLElement>, hypothesisId: string) => void
}

/** One line of the tree, with comments and evidence below it. Its callbacks must be stable, so that it re-renders only for its own line. */
export const HypothesisRow = memo(HypothesisRowView)

function HypothesisRowView(props: HypothesisRowProps) {
  const { line, isActive, isEditing, isCollapsed, areDetailsOpen, onKeyDown, onDrag } = props
  const { hypothesis, level, position, siblingCount, childCount } = line
  const { id, status, type } = hypothesis
  const canWrite = useIncidentPart((room) => room.canWrite)
  const command = (order: RowCommand): void => props.onCommand(hypothesis, order)
  const name = hypothesisTitle(hypothesis)
  const labelId = useId()

  return (
    <div
      role="treeitem"
      className={styles['node']}
      data-entity={`hypotheses/${id}`}
      data-drop={props.dropZone ?? undefined}
      data-status={status}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-expanded={childCount === 0 ? undefined : !isCollapsed}
      aria-selected={isActive}
      aria-labelledby={`${labelId}-type ${labelId}-title ${labelId}-status`}
      tabIndex={isActive ? 0 : -1}
      style={toLevelStyle(level)}
      onFocus={() => props.onFocus(id)}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget) onKeyDown(event, line)
      }}
    >
      <div
        className={styles['row']}
        draggable={canWrite && !isEditing}
        onDragStart={(event) => onDrag(event, id)}
        onDragOver={(event) => onDrag(event, id)}
        onDrop={(event) => onDrag(event, id)}
        onDragEnd={(event) => onDrag(event, id)}
      >
        <TouchMark path={`hypotheses/${id}`} />
        {canWrite ? <DragHandleVertical className={`${styles['handle']}`} size={14} /> : null}
        {childCount === 0 ? (
          <span className={styles['twist']} />
        ) : (
          <button
            type="button"
            className={styles['twist']}
            tabIndex={-1}
            aria-label={isCollapsed ? `Show what is below ${name}` : `Hide what is below ${name}`}
            onClick={() => command({ kind: 'toggleChildren' })}
          >
            {isCollapsed ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
          </button>
        )}
        <span className={styles['type']} data-type={type} id={`${labelId}-type`}>
          {HYPOTHESIS_TYPE_WORDS[type]}
        </span>
        <Title
          id={`${labelId}-title`}
          hypothesis={hypothesis}
          isEditing={isEditing && canWrite}
          mayEdit={canWrite}
          onCommand={command}
        />
        <span className={styles['rowEnd']}>
          <span className="wr-visually-hidden" id={`${labelId}-status`}>
            {toLabel(status)}
          </span>
          <RowPeers hypothesisId={id} />
          <Button
            size="small"
            variant="minimal"
            className={`${styles['counts']}`}
            tabIndex={isActive ? 0 : -1}
            aria-expanded={areDetailsOpen}
            onClick={() => command({ kind: 'toggleDetails' })}
          >
            <Chat size={12} /> {props.commentCount}
            <span className="wr-visually-hidden"> comments and </span> <Paperclip size={12} /> {props.evidenceCount}
            <span className="wr-visually-hidden"> pieces of evidence of {name}</span>
          </Button>
          <CertaintyGlyph status={status} />
          {canWrite ? (
            <HTMLSelect
              className={`${styles['hypothesisStatus']}`}
              aria-label={`Status of ${name}`}
              tabIndex={isActive ? 0 : -1}
              value={status}
              onChange={({ currentTarget }) => {
                const chosen = HYPOTHESIS_STATUSES.find((each) => each === currentTarget.value)
                if (chosen) command({ kind: 'status', status: chosen })
              }}
            >
              {HYPOTHESIS_STATUSES.map((each) => (
                <option key={each} value={each}>
                  {toLabel(each)}
                </option>
              ))}
            </HTMLSelect>
          ) : (
            <span className={styles['hypothesisWord']} aria-hidden>
              {toLabel(status)}
            </span>
          )}
          {canWrite ? (
            <PopoverNext
              placement="bottom-end"
              content={<RowMenu hypothesis={hypothesis} onCommand={command} />}
              // A command moves the focus itself: into the title, to a new line, into a dialog. Held or given back, it
              // would be taken from there.
              autoFocus={false}
              enforceFocus={false}
              shouldReturnFocusOnClose={false}
            >
              <IconButton
                size="small"
                icon={<More size={14} />}
                label={`Actions of ${name}`}
                tabIndex={isActive ? 0 : -1}
              />
            </PopoverNext>
          ) : null}
        </span>
      </div>
      <NotSaved entity="hypotheses" id={id} />
      {areDetailsOpen ? (
        <div className={styles['nodeDetails']}>
          <HypothesisDetails hypothesisId={id} />
        </div>
      ) : null}
    </div>
  )
}

/** Who is at a row. A separate component, so that their coming and going re-renders nothing else. */
function RowPeers({ hypothesisId }: { readonly hypothesisId: string }) {
  return <PresenceAvatars peers={usePeersAt(`hypotheses/${hypothesisId}`)} />
}

interface TitleProps {
  /** Of the element that holds the title. */
  readonly id: string
  readonly hypothesis: HypothesisView
  readonly isEditing: boolean
  readonly mayEdit: boolean
  readonly onCommand: (command: RowCommand) => void
}

function Title({ id: labelId, hypothesis: { id, title }, isEditing, mayEdit, onCommand }: TitleProps) {
  const edit = useIncidentPart((room) => room.edit)
  const field = `hypotheses/${id}/title`
  const editors = usePeersEditing(field)
  if (isEditing)
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears what the field inside lets through
      <span
        id={labelId}
        className={styles['title']}
        onKeyDown={({ key, nativeEvent }) => {
          if (nativeEvent.isComposing) return
          if (key === 'Escape' || key === 'Enter') onCommand({ kind: 'finishEditing' })
        }}
        onBlur={() => onCommand({ kind: 'leaveEditing' })}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to write here */}
        <CollabText text={edit.hypothesisTitle(id)} field={field} aria-label="Title" autoFocus />
      </span>
    )
  return (
    <span className={styles['title']} id={labelId}>
      <PeerRing peers={editors}>
        {mayEdit ? (
          <button
            type="button"
            className={styles['titleText']}
            data-name
            tabIndex={-1}
            onClick={() => onCommand({ kind: 'edit' })}
          >
            {title || <span className="wr-muted">{UNTITLED}</span>}
          </button>
        ) : (
          <span className={styles['titleText']} data-name>
            {title || <span className="wr-muted">{UNTITLED}</span>}
          </span>
        )}
      </PeerRing>
    </span>
  )
}

const MOVES: readonly { direction: MoveDirection; text: string; keys: string; icon: ReactElement }[] = [
  { direction: 'up', text: 'Move up', keys: 'Alt+↑', icon: <ArrowUp /> },
  { direction: 'down', text: 'Move down', keys: 'Alt+↓', icon: <ArrowDown /> },
  { direction: 'in', text: 'Indent', keys: 'Alt+→', icon: <ArrowRight /> },
  { direction: 'out', text: 'Move out', keys: 'Alt+←', icon: <ArrowLeft /> },
]

function RowMenu({ hypothesis, onCommand }: Pick<TitleProps, 'hypothesis' | 'onCommand'>) {
  const view = useIncidentPart((room) => room.view)
  const isLeaf = childType(hypothesis.type) === null
  return (
    <ArrowMenu aria-label="Actions">
      <MenuItem icon={<Edit />} text="Edit title" label="Enter" onClick={() => onCommand({ kind: 'edit' })} />
      <MenuItem
        icon={<Add />}
        text="Add child"
        label={isLeaf ? SOLUTION_HAS_NO_CHILDREN : 'N'}
        disabled={isLeaf}
        onClick={() => onCommand({ kind: 'addChild' })}
      />
      <MenuItem icon={<Add />} text="Add sibling" label="Shift+N" onClick={() => onCommand({ kind: 'addSibling' })} />
      <MenuDivider />
      {MOVES.map(({ direction, text, keys, icon }) => {
        const move = stepMove(view, hypothesis.id, direction)
        return (
          <MenuItem
            key={direction}
            icon={icon}
            multiline
            text={text}
            label={move.kind === 'refused' ? toReason(move.reason) : keys}
            disabled={move.kind === 'refused'}
            onClick={() => onCommand({ kind: 'move', direction })}
          />
        )
      })}
      <MenuDivider />
      <MenuItem
        icon={<Trash />}
        text="Delete…"
        label="Delete"
        intent="danger"
        onClick={() => onCommand({ kind: 'delete' })}
      />
    </ArrowMenu>
  )
}

/** A sentence, adapted to follow what it explains. */
const toReason = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
