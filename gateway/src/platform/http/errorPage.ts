// What a person sees when an address of ours fails in the browser, such as a callback or a link from a mail; programs get JSON. The page
// is self-contained: the web client may be missing, and the server may have been addressed by a wrong name.
import { createHash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

interface ErrorPage {
  readonly status: number
  readonly message: string
  /** The same address may work in a while. */
  readonly retryable: boolean
  /** For whoever looks for it in the log. */
  readonly requestId: string
}

const STYLE = `
      :root { color-scheme: light dark; --text: #1c2127; --muted: #5f6b7c; --page: #f6f7f9; --link: #215db0 }
      @media (prefers-color-scheme: dark) {
        :root { --text: #f6f7f9; --muted: #abb3bf; --page: #1c2127; --link: #8abbff }
      }
      body { margin: 0; padding: 20vh 24px 24px; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
      main { max-width: 480px; margin: auto; overflow-wrap: anywhere }
      h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3 }
      p { margin: 0 0 16px }
      a { color: var(--link) }
      small { color: var(--muted) }
    `

/** The page runs no script and loads nothing: its own style is all that it may use. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** A browser that opens an address asks for HTML; scripts, programs and the web client do not. */
export const asksForPage = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html')

export function sendErrorPage(reply: FastifyReply, page: ErrorPage): FastifyReply {
  return reply
    .code(page.status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY, vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(toHtml(page))
}

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const toHtml = ({ status, message, retryable, requestId }: ErrorPage): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escape(message)} · Watchroom</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escape(message)}</h1>
      <p>${toAdvice(status, retryable)}</p>
      <p><a href="/">Open Watchroom</a></p>
      <small>Error ${status} · request ${escape(requestId)}</small>
    </main>
  </body>
</html>
`

function toAdvice(status: number, retryable: boolean): string {
  if (retryable) return 'Wait a moment, then reload this page.'
  if (status === 401) return 'Open Watchroom to sign in, then open this address again.'
  if (status >= 500) return 'Reload this page. If it fails again, tell whoever runs this server.'
  return 'Go back to the page you came from, or open Watchroom.'
}
