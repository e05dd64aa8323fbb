// Answers of a server. What is asked, how often and how much is read of it are bounded, and where clouds keep the credentials of
// machines nobody is led.
import type { HttpElement } from '@watchroom/shared/specs'
import { findByJsonPath, tryParseJsonPath } from '@watchroom/shared/specs'

import type { CheckOpener } from '../../checks/createCheckOpener.ts'
import { callHttp, expectSuccess, type HttpAnswer, toBasic } from '../../outbound/callHttp.ts'
import type { Network } from '../../outbound/createNetwork.ts'
import type { Family, ReadBatch, ReadContext } from '../family.ts'
import { SourceFault } from '../family.ts'
import { type OpenTarget, openTarget, toFault, withinTime } from './openTarget.ts'
import { parseApart } from './parseApart.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5
const MAX_PAGES = 200
const MAX_ANSWER_BYTES = 16 * 2 ** 20
const BATCH = 500

interface Deps {
  readonly opener: CheckOpener
  readonly network: Network
}

interface Page {
  readonly document: unknown
  /** Where it goes on; null on the last one. */
  readonly next: URL | null
}

export function createHttpFamily({ opener, network }: Deps): Family<HttpElement> {
  return {
    name: 'http',
    async *read(element, context): AsyncIterable<ReadBatch> {
      const target = await openTarget(opener, { type: 'http', spec: toAsked(element) })
      const first = target.text('url') ?? ''
      const seen = new Set<string>()
      for (let url: URL | null = toUrl(first); url !== null;) {
        if (seen.size >= MAX_PAGES) throw new SourceFault(`it goes on for more than ${MAX_PAGES} pages`)
        seen.add(url.href)
        const page: Page = await readPage({ element, target, network, context }, url)
        if (page.next !== null && seen.has(page.next.href)) throw new SourceFault('its pages lead back to one another')
        yield* toBatches(target.mask(page.document), target.maskText(url.origin + url.pathname))
        url = page.next
      }
    },
  }
}

const toAsked = ({ url, connection, method, headers, body }: HttpElement) => ({
  ...(url && { url }),
  ...(connection && { connection }),
  ...(method && { method }),
  ...(headers && { headers: [...headers] }),
  ...(body !== undefined && { body }),
})

interface Asking extends Pick<Deps, 'network'> {
  readonly element: HttpElement
  readonly target: OpenTarget
  readonly context: ReadContext
}

/** @throws SourceFault */
async function readPage({ element, target, network, context }: Asking, url: URL): Promise<Page> {
  const { text } = target
  const username = text('username')
  const password = text('password')
  const body = text('body')
  const hasBody = element.body !== undefined || element.method === 'POST'
  const headers = Object.fromEntries(
    ((target.spec['headers'] ?? []) as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  )
  const signsIn = username !== undefined || password !== undefined
  try {
    const answer = await withinTime(context, { timeout: element.timeout, defaultMs: DEFAULT_TIMEOUT_MS }, (signal) =>
      callHttp(network, signal, {
        url: url.href,
        method: element.method ?? 'GET',
        headers: {
          ...(signsIn && { authorization: toBasic(username ?? '', password ?? '') }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        tls: { isInsecure: target.spec['insecureSkipVerify'] === true },
        ...(!hasBody && { redirects: MAX_REDIRECTS }),
        maxBytes: MAX_ANSWER_BYTES,
      }),
    )
    const document = await parseAnswer(expectSuccess(answer), element.format)
    return { document, next: findNext(element, document, answer, url) }
  } catch (error) {
    context.signal.throwIfAborted()
    throw toFault(error, target.maskText)
  }
}

/** @throws SourceFault for what is no document: a page for people, an empty answer */
export async function parseAnswer({ text, headers }: HttpAnswer, format: HttpElement['format']): Promise<unknown> {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  const written = format ?? (type.includes('yaml') ? 'yaml' : 'json')
  if (type.includes('html')) throw new SourceFault('it answered a page for people (HTML): the address may be wrong')
  const parsed = await parseApart(Buffer.from(text), written)
  const documents = parsed.ok ? parsed.value : []
  const config = documents[0]?.config
  if (documents.length === 1 && typeof config === 'object' && config !== null) return config
  const why = parsed.ok ? '' : ` (${parsed.error.message})`
  throw new SourceFault(
    `it answered something that is not a document in ${written.toUpperCase()}${why}: the address may be wrong`,
  )
}

/** Credentials go to the place that was named and to no other. @throws SourceFault */
function findNext({ next }: HttpElement, document: unknown, { headers }: HttpAnswer, from: URL): URL | null {
  const path = next === undefined ? null : tryParseJsonPath(next)
  const found = path === null ? linkedNext(headers['link']) : findByJsonPath(document, path)[0]
  if (typeof found !== 'string' || found === '') return null
  const url = URL.canParse(found, from.href) ? new URL(found, from) : null
  if (url?.origin !== from.origin) throw new SourceFault('its next page is at another server, which is not asked')
  return url
}

/** RFC 8288, as far as pages need it. */
function linkedNext(header: string | string[] | undefined): string | undefined {
  const links = [header ?? []].flat().join(',')
  return /<([^<>]*)>\s*(?:;[^,<]*)?;\s*rel="?next"?(?=[\s;,"]|$)/i.exec(links)?.[1]
}

function* toBatches(document: unknown, source: string): Iterable<ReadBatch> {
  const documents: readonly unknown[] = Array.isArray(document) ? document : [document]
  for (let start = 0; start < documents.length; start += BATCH) {
    const items = documents.slice(start, start + BATCH).map((config) => ({ config, facts: {}, place: { source } }))
    yield { items, warnings: [] }
  }
}

/** @throws SourceFault */
function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw new SourceFault('url: it is not an address')
  return new URL(text)
}
