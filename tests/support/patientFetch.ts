import { Agent, type Dispatcher, fetch, request } from 'undici'

/**
 * A process that is kept from its turn for ten seconds takes what it had no time to connect for unreachable. How long an answer may
 * take is the business of whoever asks.
 */
const patient = new Agent({ connect: { timeout: 120_000 } })

export const patientFetch: typeof fetch = (input, init) => fetch(input, { dispatcher: patient, ...init })

export interface PatientAnswer {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly bytes: Buffer
}

/** The same without what browsers add, for who asks thousands of times: nothing is packed, and no redirect followed. */
export async function patientRequest(
  url: string,
  call: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
): Promise<PatientAnswer> {
  const { method, headers, body } = call
  const answer = await request(url, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    dispatcher: patient,
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  }
}
