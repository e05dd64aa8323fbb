import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FlowKind } from '@watchroom/shared/access'
import type { Flow } from '@watchroom/shared/identity'
import { safeReturnTo } from '@watchroom/shared/kernel'
import { useCallback, useEffect, useReducer } from 'react'

import { readFlow, startFlow, submitFlow } from '../../api/identity.ts'
import { flowReaction, type FlowStep } from './flowReaction.ts'

export interface FlowOptions {
  /** A conversation that the service has begun already. */
  id?: string | undefined
  query: Readonly<Record<string, string | undefined>>
  /** Where to go when all is done; only a path of ours is honored. */
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
  submit: (values: Readonly<Record<string, unknown>>) => Promise<void>
  restart: () => void
}

type FlowEvent =
  | { type: 'begin'; notice: string | null }
  | { type: 'submitting' }
  | { type: 'arrived'; flow: Flow; isAnswer: boolean }
  | { type: 'failed'; failure: NonNullable<FlowState['failure']> }
  | { type: 'settled' }

/** Beyond it a service that answers every start with "start again" gets no further request. */
const MAX_ATTEMPTS = 8
const TOO_MANY_ATTEMPTS = {
  message: 'The sign-in service keeps restarting. Reload the page to try again.',
  isWorthRetrying: false,
}

const INITIAL: FlowState & { attempt: number } = {
  flow: null,
  notice: null,
  failure: null,
  isSubmitting: false,
  answers: 0,
  attempt: 0,
}

function reduce(state: typeof INITIAL, event: FlowEvent): typeof INITIAL {
  switch (event.type) {
    // The old form stays on screen until the new one is there, so that what was typed is kept.
    case 'begin':
      return {
        ...state,
        notice: event.notice,
        failure: state.attempt >= MAX_ATTEMPTS ? TOO_MANY_ATTEMPTS : null,
        isSubmitting: false,
        attempt: state.attempt + 1,
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
      }
    case 'failed':
      return { ...state, failure: event.failure, isSubmitting: false }
    case 'settled':
      return { ...state, isSubmitting: false }
  }
}

/** Leads one conversation with the identity service from its first form to its end. */
export function useFlow(kind: FlowKind, { id, query, returnTo }: FlowOptions): FlowHandle {
  const [state, dispatch] = useReducer(reduce, INITIAL)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const queryKey = JSON.stringify(query)

  const react = useCallback(
    (error: unknown, step: FlowStep): void => {
      const here = `${window.location.pathname}${window.location.search}`
      const reaction = flowReaction(error, kind, step, step === 'submit' || kind === 'settings' ? here : '/')
      switch (reaction.do) {
        case 'show-flow':
          dispatch({ type: 'arrived', flow: reaction.flow, isAnswer: true })
          return
        case 'restart':
          dispatch({ type: 'begin', notice: reaction.notice ?? null })
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
    [kind, navigate],
  )

  const { attempt } = state
  useEffect(() => {
    if (attempt > MAX_ATTEMPTS) return undefined
    const abort = new AbortController()
    const isReading = id !== undefined
    const arriving = isReading
      ? readFlow(kind, id, abort.signal)
      : startFlow(kind, JSON.parse(queryKey) as FlowOptions['query'], abort.signal)
    void (async () => {
      try {
        const flow = await arriving
        if (!abort.signal.aborted) dispatch({ type: 'arrived', flow, isAnswer: false })
      } catch (error) {
        if (!abort.signal.aborted) react(error, isReading ? 'read' : 'start')
      }
    })()
    return () => abort.abort()
  }, [kind, id, queryKey, attempt, react])

  const flowId = state.flow?.id
  // After a detour by the service's own addresses only its flow remembers where someone was going.
  const goal = returnTo ?? state.flow?.return_to ?? undefined
  const submit = useCallback(
    async (values: Readonly<Record<string, unknown>>) => {
      if (flowId === undefined) return
      dispatch({ type: 'submitting' })
      try {
        const answer = await submitFlow(kind, flowId, values)
        if ('ui' in answer) {
          dispatch({ type: 'arrived', flow: answer, isAnswer: true })
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
        react(error, 'submit')
      }
    },
    [flowId, kind, navigate, queryClient, react, goal],
  )

  // Back from an address that the form led to: the page is as it was left.
  useEffect(() => {
    const settle = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) dispatch({ type: 'settled' })
    }
    window.addEventListener('pageshow', settle)
    return () => window.removeEventListener('pageshow', settle)
  }, [])

  const restart = useCallback(() => dispatch({ type: 'begin', notice: null }), [])
  return { ...state, submit, restart }
}
