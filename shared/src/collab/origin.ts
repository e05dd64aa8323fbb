/** Where a change of a document comes from: decides whether it is undone, stored, or written back. */
export type Origin =
  /** A command of the person in front of this screen: add, move, set a status. Commands know their own inverse. */
  | { kind: 'editor' }
  /** Typing of the person in front of this screen; the only origin that a text's undo follows. */
  | { kind: 'typing' }
  /** Another peer, through the server. */
  | { kind: 'socket'; socketId: string; userId: string }
  /** Rows that others wrote through the backend, merged in by the server. */
  | { kind: 'backend' }
  /** First content of a document, written by the server once. */
  | { kind: 'seed' }
  /** Replay of the log. */
  | { kind: 'log' }

export const EDITOR_ORIGIN: Origin = { kind: 'editor' }
export const TYPING_ORIGIN: Origin = { kind: 'typing' }
