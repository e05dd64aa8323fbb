import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

import { createNetwork, type Network } from '../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import { createCertificate } from './certificate.ts'

/** What a service of the internet was asked. */
export interface Asked {
  readonly line: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface ServiceServer {
  readonly asked: Asked[]
  /** Leads every host to this server. Its certificate is for localhost, so it is not judged by name. */
  readonly network: Network
  /** From now on. */
  answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void
  /** From now on, by what is asked. */
  answerBy(toAnswer: (asked: Asked) => { readonly status?: number; readonly body: unknown }): void
  stop(): Promise<void>
}

/** Stands where the services of the internet are: TLS, one answer for all. */
export async function startServiceServer(): Promise<ServiceServer> {
  const { key, cert } = createCertificate({ daysLeft: 30 })
  const asked: Asked[] = []
  const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))
  type Answer = (asked: Asked) => { status: number; body: string; headers: Readonly<Record<string, string>> }
  let toAnswer: Answer = () => ({ status: 200, body: '{}', headers: {} })
  const server: Server = createServer({ key, cert }, (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const question = {
        line: `${request.method} https://${request.headers.host}${request.url}`,
        headers: request.headers,
        body,
      }
      asked.push(question)
      const next = toAnswer(question)
      response.writeHead(next.status, next.headers).end(next.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const network = createNetwork({ locate: () => ({ host: '127.0.0.1', port }), ca: cert })
  return {
    asked,
    network: {
      ...network,
      open: (target) => network.open({ ...target, tls: target.tls && { ...target.tls, isInsecure: true } }),
    },
    answer: (status, body, headers = {}) => {
      toAnswer = () => ({ status, body: toText(body), headers })
    },
    answerBy: (toBody) => {
      toAnswer = (question) => {
        const { status = 200, body } = toBody(question)
        return { status, body: toText(body), headers: {} }
      }
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
