import * as Y from 'yjs'

import { TYPING_ORIGIN } from '../../origin.ts'
import { DocumentEditError, type ReversibleCommand } from './editIncident.ts'
import { rootOf } from './readIncident.ts'

/** Typing within this time is one step. */
const CAPTURE_MS = 500
const MAX_STEPS = 200

type Step = { kind: 'command'; command: ReversibleCommand } | { kind: 'typing' }

export interface UndoStack {
  /** To be given to the editor as `onCommand`. */
  record: (command: ReversibleCommand) => void
  /** Takes back the newest own step. False when there is none, or when it can no longer be taken back. */
  undo: () => boolean
  redo: () => boolean
  canUndo: () => boolean
  canRedo: () => boolean
  close: () => void
}

/**
 * Undo of one's own edits only, in their order (DOC-13). Commands bring their inverse; typing is followed by Yjs, which
 * takes back only what this person typed. Edits of others and of the server are never touched.
 */
export function createUndoStack(doc: Y.Doc): UndoStack {
  const done: Step[] = []
  const undone: Step[] = []
  const typing = new Y.UndoManager([rootOf(doc, 'incident'), rootOf(doc, 'hypotheses'), rootOf(doc, 'comments')], {
    trackedOrigins: new Set([TYPING_ORIGIN]),
    captureTimeout: CAPTURE_MS,
  })
  let isReplaying = false

  const push = (step: Step): void => {
    done.push(step)
    if (done.length > MAX_STEPS) done.shift()
    undone.length = 0
  }
  typing.on('stack-item-added', () => {
    if (!isReplaying) push({ kind: 'typing' })
  })

  /** The newest step of typing alone: Yjs goes on to older ones by itself where others left nothing of it. */
  const replayTyping = (direction: 'undo' | 'redo'): boolean => {
    const stack = direction === 'undo' ? typing.undoStack : typing.redoStack
    const older = stack.splice(0, stack.length - 1)
    try {
      return typing[direction]() !== null
    } finally {
      stack.unshift(...older)
    }
  }

  const replay = (from: Step[], to: Step[], direction: 'undo' | 'redo'): boolean => {
    const step = from.pop()
    if (!step) return false
    isReplaying = true
    try {
      if (step.kind === 'command') step.command[direction]()
      else if (!replayTyping(direction)) return false
      to.push(step)
      return true
    } catch (error) {
      // The world moved on, for example a status that cannot follow the present one: the step is gone, nothing changed.
      if (error instanceof DocumentEditError) return false
      throw error
    } finally {
      isReplaying = false
    }
  }

  return {
    record: (command) => {
      if (isReplaying) return
      typing.stopCapturing()
      push({ kind: 'command', command })
    },
    undo: () => replay(done, undone, 'undo'),
    redo: () => replay(undone, done, 'redo'),
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    close: () => typing.destroy(),
  }
}
