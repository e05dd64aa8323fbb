const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi
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
