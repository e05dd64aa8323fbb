// Keeps the updates of one connection in their order: they build on one another, and some have to wait for what is found out about
// those before them.

import { ROOM_LIMITS } from './roomLimits.ts'

/** How an update came. */
export interface Arrival {
  readonly update: Uint8Array
  /** The peer's answer to our question: everything that it did without a link, and all deletions that it knows of. */
  readonly isFirst: boolean
}

type Stage =
  /**
   * It has not answered our question for what we lack. Someone who goes on typing while the connection comes up sends the newest
   * letters first and what was typed offline with that answer: on their own the letters would build on what is not there yet.
   */
  | { readonly kind: 'unanswered'; readonly early: Uint8Array[]; bytes: number }
  | { readonly kind: 'flowing' }
  /** What an update names is looked up just now: it waits, and all behind it. */
  | { readonly kind: 'lookingUp'; readonly waiting: Arrival[]; bytes: number }

export interface Intake {
  readonly hasAnswered: boolean
  /** The peer's answer to our question, or another update of the same form. */
  answer(update: Uint8Array): void
  add(update: Uint8Array): void
}

export interface IntakeDeps {
  /**
   * Takes an update, unless something must be looked up first: then it returns the look-up, which never rejects, and gets the
   * update again afterwards.
   *
   * @param wasLookedUp what could not be found out then is not asked again
   */
  readonly take: (arrival: Arrival, wasLookedUp: boolean) => Promise<void> | null
  readonly onTooLarge: () => void
  /** The peer has not left, and was not sent away. */
  readonly isPresent: () => boolean
  readonly isRoomOpen: () => boolean
}

export function createIntake(deps: IntakeDeps): Intake {
  let stage: Stage = { kind: 'unanswered', early: [], bytes: 0 }

  const offer = (arrival: Arrival, wasLookedUp = false): void => {
    if (stage.kind === 'lookingUp') return wait(stage, arrival)
    const lookUp = deps.take(arrival, wasLookedUp)
    if (!lookUp) return
    const lookingUp: Stage = { kind: 'lookingUp', waiting: [], bytes: 0 }
    stage = lookingUp
    wait(lookingUp, arrival)
    void lookUp.then(() => goOn(lookingUp.waiting))
  }

  const wait = (lookingUp: Extract<Stage, { kind: 'lookingUp' }>, { update, isFirst }: Arrival): void => {
    lookingUp.bytes += update.byteLength
    // The first may be larger.
    if (lookingUp.bytes > ROOM_LIMITS.waitingBytes && lookingUp.waiting.length > 0) return deps.onTooLarge()
    lookingUp.waiting.push({ update: update.slice(), isFirst })
  }

  /** Also of someone who has left meanwhile: what arrived is taken, as it would have been at once. */
  const goOn = (waiting: readonly Arrival[]): void => {
    stage = { kind: 'flowing' }
    if (!deps.isRoomOpen()) return
    const wasPresent = deps.isPresent()
    for (const [index, arrival] of waiting.entries()) {
      if (wasPresent && !deps.isPresent()) return
      offer(arrival, index === 0)
    }
  }

  return {
    get hasAnswered() {
      return stage.kind !== 'unanswered'
    },
    answer: (update) => {
      if (stage.kind !== 'unanswered') return offer({ update, isFirst: false })
      const { early } = stage
      stage = { kind: 'flowing' }
      offer({ update, isFirst: true })
      for (const each of early) if (deps.isPresent()) offer({ update: each, isFirst: false })
    },
    add: (update) => {
      if (stage.kind !== 'unanswered') return offer({ update, isFirst: false })
      stage.bytes += update.byteLength
      if (stage.bytes > ROOM_LIMITS.frameBytes) return deps.onTooLarge()
      stage.early.push(update.slice())
    },
  }
}
