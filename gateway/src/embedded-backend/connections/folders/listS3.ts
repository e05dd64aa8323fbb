import type { FileFacts } from '../../../check-runner/contract.ts'
import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import type { OpenedConnection } from '../../outbound/openedConnection.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import { signAws } from '../../outbound/signAws.ts'
import type { FolderLister } from './folderLister.ts'

const DEFAULT_REGION = 'us-east-1'
/** A thousand objects, whose keys have a kilobyte at most, with what is said beside each. */
const MAX_PAGE_BYTES = 4 * 1_048_576
const MAX_OBJECTS = 100_000

/** Objects directly below a prefix of a bucket: `s3://bucket/folder`, or `folder` in the bucket of the connection. */
export const listS3: FolderLister = async function* (connection, path, { network, signal, now }) {
  const { bucket, prefix } = toPlace(connection, path)
  const region = connection.text('region') || DEFAULT_REGION
  const [accessKey, secretKey] = [connection.needed('username'), connection.needed('password')]
  let next: string | null = null
  let count = 0
  do {
    const url = `https://s3.${region}.amazonaws.com/${encodeURIComponent(bucket)}?${toQuery({
      'list-type': '2',
      delimiter: '/',
      'encoding-type': 'url',
      prefix,
      ...(next !== null && { 'continuation-token': next }),
    })}`
    const headers = signAws({ method: 'GET', url, service: 's3', region, accessKey, secretKey, now: now() })
    const call = { url, headers, tls: connection.tls, maxBytes: MAX_PAGE_BYTES }
    const { text } = expectSuccess(await callHttp(network, signal, call))
    const files = readObjects(text, prefix)
    count += files.length
    if (count > MAX_OBJECTS) throw new OutboundFault(`it has more than ${MAX_OBJECTS.toLocaleString('en-US')} files`)
    yield files
    next = partOf(text, 'IsTruncated') === 'true' ? partOf(text, 'NextContinuationToken') : null
  } while (next !== null)
}

function toPlace(connection: OpenedConnection, path: string): { bucket: string; prefix: string } {
  const [, named, below = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(path) ?? []
  const folder = (named === undefined ? path : below).replaceAll(/^\/+|\/+$/g, '')
  const bucket = named ?? connection.text('bucket')
  if (bucket === '') throw new OutboundFault('the path names no bucket: s3://bucket/folder')
  return { bucket, prefix: folder === '' ? '' : `${folder}/` }
}

const toQuery = (parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** What stands for the folder itself is no file. */
function readObjects(xml: string, prefix: string): FileFacts[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, object = '']): FileFacts[] => {
    const name = decodeURIComponent((partOf(object, 'Key') ?? '').replaceAll('+', ' ')).slice(prefix.length)
    const [sizeBytes, modifiedAt] = [Number(partOf(object, 'Size')), Date.parse(partOf(object, 'LastModified') ?? '')]
    return name === '' || Number.isNaN(modifiedAt) ? [] : [{ name, sizeBytes, modifiedAt }]
  })
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" } as const

function partOf(xml: string, tag: string): string | null {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]
  return text?.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]) ?? null
}
