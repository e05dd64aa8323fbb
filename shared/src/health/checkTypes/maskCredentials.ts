// Begins at what every address has: a beginning that may be long would be tried from each of its letters.
const USER_INFO = /(:\/\/)[^\s/?#]*@/g
const SECRET_PARAMETER =
  /([?&](?:[a-z0-9_-]*(?:token|secret|password|passwd|signature|api[_-]?key)|key|sig|pwd)=)[^&\s#]+/gi

/** Hides user, password and secret query parameters of every URL in the text. */
export function maskCredentials(text: string): string {
  return text.replace(USER_INFO, '$1***@').replace(SECRET_PARAMETER, '$1***')
}

/** A URL as it may be shown: without user and password, secret parameters hidden. */
export function toPublicUrl(url: string): string {
  return url.replace(USER_INFO, '$1').replace(SECRET_PARAMETER, '$1***')
}
