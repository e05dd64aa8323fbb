import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { takeFirstAnswer } from '../../../web/src/api/firstAnswers.ts'

const script = readFileSync(join(import.meta.dirname, '../../../web/src/api/firstQuestions.js'), 'utf8')

/** Addresses of sockets that were opened. */
let opened: string[]
let closed: boolean

/** What the page does before its scripts are there. */
function askFirst(answer: () => Promise<Response>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return answer()
  })
  vi.stubGlobal('WebSocket', function open(url: string) {
    opened.push(url)
    return { close: () => (closed = true) }
  })
  // oxlint-disable-next-line no-implied-eval -- the file is a script of the page, not a module
  new Function(script)()
  return asked
}

const take = (path: string, signal = new AbortController().signal) => takeFirstAnswer(path, signal)

beforeEach(() => {
  opened = []
  closed = false
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

afterEach(() => {
  delete window.watchroomAnswers
  Reflect.deleteProperty(window, 'watchroomSocket')
  document.cookie = 'watchroom_organization=; expires=Thu, 01 Jan 1970 00:00:00 GMT'
  vi.unstubAllGlobals()
})

describe('what the page asks before its scripts are there', () => {
  it('is who is looking and what is switched off, each answered to the first who asks', async () => {
    const asked = askFirst(async () => Response.json({ payload: { id: 'p1' } }))
    expect(asked).toEqual(['/api/auth/whoami', '/api/properties'])
    const answer = await take('/api/auth/whoami')
    expect(await answer?.json()).toEqual({ payload: { id: 'p1' } })
    expect(await take('/api/auth/whoami')).toBeUndefined()
    expect(await take('/api/db/people_roles')).toBeUndefined()
    expect((await take('/api/properties'))?.status).toBe(200)
  })

  it('is what they may do as well, as soon as it is known who looks', async () => {
    for (const payload of [{ user: { id: 'a b' } }, { id: 'a b' }]) {
      const asked = askFirst(async () => Response.json({ payload }))
      expect((await take('/api/auth/whoami'))?.status).toBe(200)
      expect(asked).toEqual(['/api/auth/whoami', '/api/properties', '/api/db/people_roles?id=in.(a%20b)'])
      expect(await (await take('/api/db/people_roles?id=in.(a%20b)'))?.json()).toEqual({ payload })
    }
  })

  it('is no answer when nobody can be read from it: whoever asks says what is wrong', async () => {
    const asked = askFirst(async () => new Response('<html>', { status: 200 }))
    expect(await take('/api/auth/whoami')).toBeUndefined()
    expect(asked).toEqual(['/api/auth/whoami', '/api/properties'])
  })

  it('is no answer when it was refused: whoever asks may have signed in since', async () => {
    askFirst(async () => Response.json({}, { status: 401 }))
    expect(await take('/api/properties')).toBeUndefined()
  })

  it('is no answer when it was lost', async () => {
    askFirst(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await take('/api/auth/whoami')).toBeUndefined()
  })

  it('is waited for no longer than the question may take', async () => {
    askFirst(() => new Promise(() => undefined))
    const abort = new AbortController()
    const answer = take('/api/auth/whoami', abort.signal)
    abort.abort()
    expect(await answer).toBeUndefined()
  })

  it('is nothing in a page of one of several organizations, whose questions name it', async () => {
    document.cookie = 'watchroom_organization=0a1b'
    expect(askFirst(async () => Response.json({}))).toEqual([])
    expect(await take('/api/auth/whoami')).toBeUndefined()
  })
})

describe('the socket that the page opens before its scripts are there', () => {
  it('is opened once the session is known, which a refusal would end with a fault in the console', async () => {
    askFirst(async () => Response.json({}, { status: 401 }))
    await vi.advanceTimersByTimeAsync(0)
    expect(opened).toEqual([])
    askFirst(async () => Response.json({ payload: { id: 'p1' } }))
    expect(opened).toEqual([])
    await take('/api/auth/whoami')
    expect(opened).toEqual([`${location.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`])
  })

  it.each([
    ['closed when nobody goes on with it', true],
    ['left to whoever goes on with it', false],
  ])('is %s', async (_what, isClosed) => {
    askFirst(async () => Response.json({ payload: { id: 'p1' } }))
    await take('/api/auth/whoami')
    if (!isClosed) Reflect.deleteProperty(window, 'watchroomSocket')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(closed).toBe(isClosed)
  })
})
