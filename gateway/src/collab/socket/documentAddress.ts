import type { FastifyRequest } from 'fastify'

/** Of what a page calls itself. */
const MAX_PAGE_LENGTH = 40

/** What a client says in the address of its socket. */
export interface DocumentAddress {
  /** Of the document. */
  readonly name: string
  /** Of the copy that it brings along; without one it has nothing, or is a stock client that does not say. */
  readonly epoch: string | undefined
  /** It wants to hear that the link is alive. */
  readonly wantsBeat: boolean
  /** Tells it from its person's other pages; empty where it does not say. */
  readonly page: string
}

export function readDocumentAddress(request: FastifyRequest): DocumentAddress {
  const query = request.query as Partial<Record<string, unknown>>
  const read = (name: 'epoch' | 'beat' | 'page'): string | undefined => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    name: (request.params as { '*': string })['*'],
    epoch: read('epoch'),
    wantsBeat: read('beat') !== undefined,
    page: read('page')?.slice(0, MAX_PAGE_LENGTH) ?? '',
  }
}
