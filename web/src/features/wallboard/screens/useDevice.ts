import { useNavigate } from '@tanstack/react-router'
import type { WallDevice } from '@watchroom/shared/wall'
import { useEffect, useRef, useState } from 'react'

import { errorText, RequestError } from '../../../api/request.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { enterDevice, readDevice } from '../queries.ts'

/** Asked again this often: a board may have been renamed, a link revoked. */
const REFRESH_MS = 15_000
/** While nobody answers, as when the screen is on before the server. */
const RETRY_MS = 3_000

export type DeviceState =
  | { readonly kind: 'waiting'; readonly problem: string | null }
  | { readonly kind: 'in'; readonly device: WallDevice }
  | { readonly kind: 'refused'; readonly message: string }

/** Too many attempts and a server in trouble pass; any other refusal is final. */
function isFinal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/**
 * Lets this browser in by the token of its address, once, and stays informed about what it may show.
 *
 * @returns the state, and a function that asks at once
 */
export function useDevice(): [DeviceState, () => void] {
  const { clock } = useScreenClock()
  const navigate = useNavigate()
  const [state, setState] = useState<DeviceState>({ kind: 'waiting', problem: null })
  const token = useRef(window.location.hash.slice(1))
  const ask = useRef((): void => undefined)

  useEffect(() => {
    // Out of the address at once: whoever passes the screen shall not read or copy it.
    if (token.current !== '') void navigate({ to: '.', search: true, hash: '', replace: true })
  }, [navigate])

  useEffect(() => {
    let isGone = false
    let isAsking = false
    let cancel = (): void => undefined
    const askNow = async (): Promise<void> => {
      if (isAsking) return
      isAsking = true
      cancel()
      let delayMs: number | null = REFRESH_MS
      try {
        const device = await (token.current === '' ? readDevice() : enterDevice(token.current))
        token.current = ''
        if (!isGone) setState({ kind: 'in', device })
      } catch (error) {
        if (isGone) return
        if (isFinal(error)) {
          setState({ kind: 'refused', message: errorText(error) })
          delayMs = null
        } else {
          // A board that is shown stays: its own link says that it is old.
          setState((before) => (before.kind === 'in' ? before : { kind: 'waiting', problem: errorText(error) }))
          delayMs = RETRY_MS
        }
      }
      isAsking = false
      if (!isGone && delayMs !== null) cancel = clock.schedule(() => void askNow(), delayMs)
    }
    ask.current = () => void askNow()
    void askNow()
    return () => {
      isGone = true
      cancel()
    }
  }, [clock])

  return [state, () => ask.current()]
}
