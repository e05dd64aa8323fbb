// Encrypts what must be readable again, such as the secret of an authenticator app, so that a copy of the database reveals nothing.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  seal(text: string): string
  /** @throws Error when it was sealed with another key, or altered */
  open(sealed: string): string
  /** How a short secret is stored: only the holder of the key could try all possible values. */
  mac(text: string): string
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * @param secret outside of the database
 * @param purpose what is sealed; another one makes other keys of the same secret
 */
export function createSeal(secret: Buffer, purpose: 'identity' | 'hosted session' | 'playbook run' = 'identity'): Seal {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `watchroom ${purpose} ${use}`, KEY_BYTES))
  const key = derive('seal')
  const macKey = derive('mac')
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
    mac: (text) => createHmac('sha256', macKey).update(text).digest('base64url'),
  }
}
