// `fetch` for the documents of an identity provider, which have a few kilobytes: a longer answer is not read to its end. Follows no
// redirects. The caller's signal bounds the time.

const MAX_BYTES = 1_048_576

type Init = { readonly [Name in 'body' | 'headers' | 'method' | 'signal']?: RequestInit[Name] | undefined }

/** @throws TypeError when the answer is longer than any that is expected */
export async function fetchBounded(url: string | URL, init: Init): Promise<Response> {
  const { body: sent = null, headers: own = {}, method = 'GET', signal = null } = init
  const response = await fetch(url, { body: sent, headers: own, method, signal, redirect: 'manual' })
  const { status, statusText, headers } = response
  const body = await readBounded(response)
  return new Response(body.length === 0 ? null : body, { status, statusText, headers })
}

async function readBounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new TypeError(`the answer is longer than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
