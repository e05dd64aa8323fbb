// The server of the real product as an agent sees it, in front of our own backend: pings and pushes are answered with nothing, and
// every word that only ours understands is noted.
import { createServer, request as send } from 'node:http'

import { PUSHED_KINDS } from '@watchroom/shared/agents/upstream'

import { listen } from './listen.ts'

export interface PlainUpstream {
  readonly url: string
  /** `METHOD path` of each call, oldest first. */
  readonly calls: string[]
  /** Query keys, keys of bodies and keys of results that are not the real product's. */
  readonly extensions: string[]
  /** Pushes whose answers are to be cut after the work was done. */
  loseAnswers: number
}

const QUERY_KEYS = new Set(['agent_name', 'since', 'starting'])
const RESULT_KEYS = new Set([
  'check_id',
  'status',
  'invalid',
  'time',
  'duration',
  'message',
  'error',
  'details',
  'severity',
])
const KINDS: ReadonlySet<string> = new Set(PUSHED_KINDS)

/** An agent that nobody gave canaries is told no list of them, not even an empty one. */
export function withoutEmptyCanaries(answer: string): string {
  const { canaries, ...rest } = JSON.parse(answer) as { canaries?: unknown[] | null }
  return JSON.stringify(canaries?.length ? { ...rest, canaries } : rest)
}

export async function startPlainUpstream(socketPath: string): Promise<PlainUpstream> {
  const upstream = { url: '', calls: [] as string[], extensions: [] as string[], loseAnswers: 0 }

  function note(text: string): void {
    if (text === '') return
    const body = JSON.parse(text) as Record<string, unknown>
    upstream.extensions.push(...Object.keys(body).filter((key) => !KINDS.has(key)))
    const results = (body.check_statuses ?? []) as Record<string, unknown>[]
    upstream.extensions.push(...results.flatMap((row) => Object.keys(row).filter((key) => !RESULT_KEYS.has(key))))
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    upstream.calls.push(`${request.method} ${pathname}`)
    upstream.extensions.push(...[...searchParams.keys()].filter((key) => !QUERY_KEYS.has(key)))
    if (!searchParams.has('agent_name')) upstream.extensions.push('without agent_name')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      note(body.toString())
      const { method, url: path, headers } = request
      const passed = send({ socketPath, method, path, headers, agent: false }, (answer) => {
        const isEmpty = answer.statusCode === 200 && /\/(?:ping|push)$/.test(pathname)
        const isLost = pathname.endsWith('/push') && upstream.loseAnswers > 0
        if (isLost) upstream.loseAnswers -= 1
        const isPull = answer.statusCode === 200 && pathname.endsWith('/canary/pull')
        const pulled: Buffer[] = []
        if (isPull) answer.on('data', (chunk: Buffer) => pulled.push(chunk))
        answer.on('end', () => {
          if (isLost) response.destroy()
          else if (isEmpty) response.writeHead(200).end()
          else if (isPull) response.writeHead(200).end(withoutEmptyCanaries(Buffer.concat(pulled).toString()))
        })
        if (isEmpty || isLost || isPull) answer.resume()
        else answer.pipe(response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }))
      })
      passed.on('error', () => response.destroy())
      passed.end(body)
    })
  })
  upstream.url = `http://127.0.0.1:${await listen(server)}`
  return upstream
}
