import { vi } from 'vitest'

type Answer = (url: URL, init: RequestInit) => Response | Promise<Response>

export interface FakeServer {
  /** Method and path of every request so far, with the query in plain words. */
  readonly requests: string[]
  /** Answers requests whose method and path start with this from now on. */
  on(start: string, answer: Answer): void
}

export const json = (body: unknown, status = 200): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), { status })

/** Body of a refusal as the gateway sends it. @param sourceCode what the backend called it @param details its second line */
export const refusal = (kind: string, message: string, sourceCode = kind, details: unknown = null): unknown => ({
  error: message,
  message,
  code: sourceCode,
  details,
  requestId: 'r1',
  kind,
})

/** Stands where the network is in tests of single screens. A request nobody expects is answered with 404. */
export function createFakeServer(): FakeServer {
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const url = new URL(path, 'http://watchroom.test')
    const line = `${init.method ?? 'GET'} ${decodeURIComponent(url.pathname + url.search)}`
    requests.push(line)
    const answer = [...answers].find(([start]) => line.startsWith(start))?.[1]
    return answer === undefined ? json(refusal('NOT_FOUND', `no answer for ${line}`), 404) : answer(url, init)
  })
  return { requests, on: (start, answer) => void answers.set(start, answer) }
}
