/** What is wrong with a connection or the other side, in words for whoever set it up. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
  /** Of an answer of HTTP. */
  readonly status: number | null
  /** How long the other side wants to be left alone, in its words. */
  readonly retryAfter: string | null

  constructor(message: string, options: ErrorOptions & { status?: number; retryAfter?: string } = {}) {
    super(message, options)
    this.status = options.status ?? null
    this.retryAfter = options.retryAfter ?? null
  }
}
