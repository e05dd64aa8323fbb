import { callHttp } from './callHttp.ts'
import type { Network } from './createNetwork.ts'

const MAX_BYTES = 1_048_576

interface Init {
  readonly headers: Headers
  readonly signal: AbortSignal
}

/** `fetch` for short documents at addresses that people wrote. Follows no redirect. */
export const fetchVia =
  (network: Network) =>
  async (url: string, { headers, signal }: Init): Promise<Response> => {
    const call = { url, headers: Object.fromEntries(headers), maxBytes: MAX_BYTES }
    const { status, text } = await callHttp(network, signal, call)
    return new Response(text === '' ? null : text, { status })
  }
