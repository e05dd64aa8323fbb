// Takes secrets out of text that comes piece by piece: one that is cut in two by the pieces is found as well.
import { maskCredentials } from '@watchroom/shared/health/check-types'
import { SECRET_MASK } from '@watchroom/shared/kernel'

export interface Mask {
  /** What is safe to show by now; the rest comes with the next piece, or at the end. */
  push(text: string): string
  end(): string
}

/** An address that is not through yet is waited for, to find the password in it. */
const MAX_ADDRESS = 2_048
const OPEN_ADDRESS = /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s"'<>]*$/

/** @param secrets longest first */
export function createMask(secrets: readonly string[]): Mask {
  let held = ''

  const mask = (text: string): string =>
    maskCredentials(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text))

  /** Where what may be the beginning of a secret begins. */
  const safeLength = (text: string): number => {
    let length = text.length
    for (const secret of secrets) {
      const first = Math.max(0, text.length - secret.length + 1)
      for (let at = first; at < length; at++) {
        if (secret.startsWith(text.slice(at))) length = at
      }
    }
    const address = OPEN_ADDRESS.exec(text.slice(-MAX_ADDRESS))
    return address ? Math.min(length, text.length - address[0].length) : length
  }

  return {
    push: (text) => {
      const whole = held + text
      // Whole secrets first: what is left of them is no beginning of another.
      const replaced = secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), whole)
      const length = safeLength(replaced)
      held = replaced.slice(length)
      return mask(replaced.slice(0, length))
    },
    end: () => {
      const rest = mask(held)
      held = ''
      return rest
    },
  }
}
