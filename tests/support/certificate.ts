// A self-signed certificate made at test time, in DER by hand (RFC 5280), so that no openssl has to be installed.
import { generateKeyPairSync, sign } from 'node:crypto'

const OID_ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const OID_COMMON_NAME = [0x55, 0x04, 0x03]
const OID_SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11]
const DAY_MS = 86_400_000

const SEQUENCE = 0x30
const SET = 0x31

function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const oid = (bytes: number[]): Buffer => der(0x06, bytes)
const utcTime = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
const nameOf = (commonName: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, oid(OID_COMMON_NAME), der(0x0c, Buffer.from(commonName)))))

export interface TestCertificate {
  key: string
  cert: string
}

/** For `localhost` and 127.0.0.1, valid until `daysLeft` from now (negative: expired). */
export function createCertificate({
  daysLeft,
  commonName = 'localhost',
}: {
  daysLeft: number
  commonName?: string
}): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, oid(OID_ECDSA_SHA256))
  const notAfter = Date.now() + daysLeft * DAY_MS
  const alternatives = der(SEQUENCE, der(0x82, Buffer.from('localhost')), der(0x87, [127, 0, 0, 1]))
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    algorithm,
    nameOf(commonName),
    der(SEQUENCE, utcTime(Math.min(Date.now(), notAfter) - DAY_MS), utcTime(notAfter)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, oid(OID_SUBJECT_ALT_NAME), der(0x04, alternatives)))),
  )
  const signature = der(0x03, [0], sign('sha256', body, privateKey))
  const whole = der(SEQUENCE, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n`,
  }
}
