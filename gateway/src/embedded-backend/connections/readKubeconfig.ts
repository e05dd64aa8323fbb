// Where a cluster is and how one signs in, as a kubeconfig says it or as a pod finds it. Programs that a kubeconfig names to
// fetch a token are not run, and files that it names are not read.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'yaml'
import { z } from 'zod'

import type { TlsOptions } from '../../platform/openSocket.ts'
import { toBasic } from '../outbound/callHttp.ts'
import { OutboundFault } from '../outbound/outboundFault.ts'

interface Cluster {
  readonly server: string
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsOptions
}

const text = z.string().optional()
const KubeconfigSchema = z.object({
  'current-context': z.string(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) })),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url(),
        'certificate-authority-data': text,
        'insecure-skip-tls-verify': z.boolean().optional(),
      }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.object({
        token: text,
        username: text,
        password: text,
        'client-certificate-data': text,
        'client-key-data': text,
      }),
    }),
  ),
})
type User = z.infer<typeof KubeconfigSchema>['users'][number]['user']

const POD = '/var/run/secrets/kubernetes.io/serviceaccount'

/** @throws OutboundFault */
export async function readKubeconfig(kubeconfig: string): Promise<Cluster> {
  return kubeconfig.trim() === '' ? readPod() : toCluster(kubeconfig)
}

function toCluster(kubeconfig: string): Cluster {
  const read = KubeconfigSchema.safeParse(tryParseYaml(kubeconfig))
  if (!read.success) throw new OutboundFault('Kubeconfig: it cannot be read')
  const { contexts, clusters, users, 'current-context': current } = read.data
  const context = contexts.find(({ name }) => name === current)?.context
  const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster
  const user = users.find(({ name }) => name === context?.user)?.user
  if (cluster === undefined || user === undefined)
    throw new OutboundFault('Kubeconfig: its current context names a cluster or user that it does not have')
  const authorization = toAuthorization(user)
  const [certificate, key] = [decode(user['client-certificate-data']), decode(user['client-key-data'])]
  if (authorization === undefined && certificate === undefined)
    throw new OutboundFault('Kubeconfig: its user has no token, password or certificate in it')
  const authority = decode(cluster['certificate-authority-data'])
  return {
    server: cluster.server,
    headers: authorization === undefined ? {} : { authorization },
    tls: {
      isInsecure: cluster['insecure-skip-tls-verify'] === true,
      ...(authority !== undefined && { ca: authority }),
      ...(certificate !== undefined && key !== undefined && { cert: certificate, key }),
    },
  }
}

function toAuthorization({ token, username, password }: User): string | undefined {
  if (token !== undefined) return `Bearer ${token}`
  return username !== undefined && password !== undefined ? toBasic(username, password) : undefined
}

const decode = (data: string | undefined): string | undefined =>
  data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8')

function tryParseYaml(words: string): unknown {
  try {
    return parse(words)
  } catch {
    // Its schema refuses it in words for its author.
    return null
  }
}

async function readPod(): Promise<Cluster> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  if (host === undefined) throw new OutboundFault('Kubeconfig is missing, and this server does not run in Kubernetes')
  const [token, ca] = await Promise.all(['token', 'ca.crt'].map((name) => readFile(join(POD, name), 'utf8')))
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    headers: { authorization: `Bearer ${token}` },
    tls: { isInsecure: false, ...(ca !== undefined && { ca }) },
  }
}
