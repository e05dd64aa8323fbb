import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FlowKind } from '@watchroom/shared/access'
import type { Flow } from '@watchroom/shared/identity'
import { safeReturnTo } from '@watchroom/shared/kernel'
import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from 'react'

import { readFlow, startFlow, submitFlow } from '../../api/identity.ts'
import { flowReaction, type FlowStep } from './flowReaction.ts'

export interface FlowOptions {
  /** A flow that the service has already started. */
  id?: string | undefined
  query: Readonly<Record<string, string | undefined>>
  /** Where to go at the end; only our own paths are accepted. */
  returnTo?: string | undefined
}

export interface FlowState {
  flow: Flow | null
  /** Why the form starts anew. */
  notice: string | null
  /** The service cannot go on. */
  failure: { message: string; isWorthRetrying: boolean } | null
  isSubmitting: boolean
  /** Counts answers to a submit, so that the form can move the focus to the remarks once per answer. */
  answers: number
}

export interface FlowHandle extends FlowState {
  submit: (values: FlowValues) => Promise<void>
  /** Repeats the step that failed. */
  retry: () => void
  /** Where the person was going, as given by the page or the service. */
  goal: string | undefined
}

type FlowValues = Readonly<Record<string, unknown>>

type FlowEvent =
  | { type: 'begin'; notice: string | null; isAutomatic: boolean }
  | { type: 'submitting' }
  | { type: 'arrived'; flow: Flow; isAnswer: boolean }
  | { type: 'failed'; failure: NonNullable<FlowState['failure']> }
  | { type: 'settled' }

/** After this many, a service that answers every start with "start again" gets no more requests. */
const MAX_RESTARTS = 8
const TOO_MANY_RESTARTS = {
  message: 'The sign-in service keeps restarting. Reload the page to try again.',
  isWorthRetrying: false,
}

interface State extends FlowState {
  /** Counts starts, so that each is made. */
  attempt: number
  /** That the service asked for since it gave a form. */
  restarts: number
}

const INITIAL: State = {
  flow: null,
  notice: null,
  failure: null,
  isSubmitting: false,
  answers: 0,
  attempt: 1,
  restarts: 0,
}

function reduce(state: State, event: FlowEvent): State {
  switch (event.type) {
    // The old form stays on screen until the new one is there, so that what was typed is kept.
    case 'begin': {
      const restarts = event.isAutomatic ? state.restarts + 1 : 0
      return {
        ...state,
        notice: event.notice,
        failure: restarts > MAX_RESTARTS ? TOO_MANY_RESTARTS : null,
        isSubmitting: false,
        attempt: state.attempt + 1,
        restarts,
      }
    }
    case 'submitting':
      return { ...state, isSubmitting: true, notice: null, failure: null }
    case 'arrived':
      return {
        ...state,
        flow: event.flow,
        failure: null,
        isSubmitting: false,
        answers: event.isAnswer ? state.answers + 1 : state.answers,
        restarts: 0,
      }
    case 'failed':
      return { ...state, failure: event.failure, isSubmitting: false }
    case 'settled':
      return { ...state, isSubmitting: false }
  }
}

/** Of this page, with what is to be found there later. */
function addressOf(more: Readonly<Record<string, string>>): string {
  const address = new URL(window.location.href)
  for (const [key, value] of Object.entries(more)) address.searchParams.set(key, value)
  return address.pathname + address.search
}

/** A code in a mail belongs to its flow, so the page must find that flow again after a reload. */
const isMailed = (kind: FlowKind, { state }: Flow): boolean =>
  kind === 'recovery' || kind === 'verification' || kind === 'registration' || state === 'sent_email'

/** Runs one flow of the identity service, from its first form to its end. */
export function useFlow(kind: FlowKind, { id, query, returnTo }: FlowOptions): FlowHandle {
  const [state, dispatch] = useReducer(reduce, INITIAL)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const queryKey = JSON.stringify(query)
  /** Of the flow on screen. */
  const shownId = useRef<string>(undefined)
  /** A form whose answer did not come. */
  const unanswered = useRef<FlowValues>(undefined)

  const show = useCallback(
    (flow: Flow, isAnswer: boolean): void => {
      shownId.current = flow.id
      unanswered.current = undefined
      dispatch({ type: 'arrived', flow, isAnswer })
      if (!isAnswer || !isMailed(kind, flow)) return
      void navigate({ to: '.', replace: true, search: (search) => ({ ...search, flow: flow.id }) })
    },
    [kind, navigate],
  )

  /** @param flow that people come back to, where they have to confirm who they are */
  const react = useCallback(
    (error: unknown, step: FlowStep, flow?: string): void => {
      const here = addressOf(flow !== undefined && kind === 'settings' ? { flow, confirmed: 'true' } : {})
      const reaction = flowReaction(error, kind, step, step === 'submit' || kind === 'settings' ? here : '/')
      switch (reaction.do) {
        case 'show-flow':
          show(reaction.flow, true)
          return
        case 'restart':
          unanswered.current = undefined
          dispatch({ type: 'begin', notice: reaction.notice ?? null, isAutomatic: true })
          // An address with the old flow, or with a return_to that was refused, would fail the same way again.
          void navigate({
            to: '.',
            replace: true,
            search: (search) => ({
              ...search,
              flow: undefined,
              ...(reaction.withoutReturnTo ? { return_to: undefined } : {}),
            }),
          })
          return
        case 'go':
          void navigate({ to: reaction.path, search: reaction.search ?? {}, replace: true })
          return
        case 'leave':
          window.location.assign(reaction.url)
          return
        case 'fail':
          dispatch({ type: 'failed', failure: reaction })
      }
    },
    [kind, navigate, show],
  )

  /** 0 is none. */
  const attempt = state.restarts > MAX_RESTARTS ? 0 : state.attempt
  useEffect(() => {
    if (attempt === 0 || (id !== undefined && id === shownId.current)) return undefined
    const abort = new AbortController()
    const isReading = id !== undefined
    const arriving = isReading
      ? readFlow(kind, id, abort.signal)
      : startFlow(kind, JSON.parse(queryKey) as FlowOptions['query'], abort.signal)
    void (async () => {
      try {
        const flow = await arriving
        if (!abort.signal.aborted) show(flow, false)
      } catch (error) {
        if (!abort.signal.aborted) react(error, isReading ? 'read' : 'start')
      }
    })()
    return () => abort.abort()
  }, [kind, id, queryKey, attempt, react, show])

  const flowId = state.flow?.id
  // After a detour by the service's own addresses only its flow remembers where someone was going.
  const goal = returnTo ?? state.flow?.return_to ?? undefined
  const submit = useCallback(
    async (values: FlowValues) => {
      if (flowId === undefined) return
      dispatch({ type: 'submitting' })
      unanswered.current = values
      try {
        const answer = await submitFlow(kind, flowId, values)
        if ('ui' in answer) {
          show(answer, true)
          return
        }
        dispatch({ type: 'settled' })
        const redirect = answer.continue_with?.find(({ redirect_browser_to: url }) => url)?.redirect_browser_to
        if (redirect) {
          window.location.assign(redirect)
          return
        }
        // Nothing that was loaded for someone else, or for nobody, may be shown to the person who just signed in.
        queryClient.clear()
        await navigate({ href: safeReturnTo(goal), replace: true })
      } catch (error) {
        react(error, 'submit', flowId)
      }
    },
    [flowId, kind, navigate, queryClient, react, show, goal],
  )

  const flowState = state.flow?.state
  const retry = useCallback(async (): Promise<void> => {
    const values = unanswered.current
    if (values === undefined || flowId === undefined) {
      dispatch({ type: 'begin', notice: null, isAutomatic: false })
      return
    }
    dispatch({ type: 'submitting' })
    try {
      // The request may have arrived although its answer did not: sending it again would invalidate the code in the first mail.
      const now = await readFlow(kind, flowId)
      if (now.state !== flowState) {
        show(now, true)
        return
      }
    } catch (error) {
      react(error, 'read')
      return
    }
    await submit(values)
  }, [flowId, flowState, kind, react, show, submit])

  useReturn(() => dispatch({ type: 'settled' }))
  return { ...state, submit, retry: () => void retry(), goal }
}

/** Back from a page that the form led to: this page is as it was left. */
function useReturn(onReturn: () => void): void {
  const settle = useEffectEvent(({ persisted }: PageTransitionEvent): void => {
    if (persisted) onReturn()
  })
  useEffect(() => {
    window.addEventListener('pageshow', settle)
    return () => window.removeEventListener('pageshow', settle)
  }, [])
}
