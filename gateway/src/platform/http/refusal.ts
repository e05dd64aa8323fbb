/** An expected outcome that is not the route's response. Thrown by handlers; the route sends it as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(`refused with ${status}`)
    this.status = status
    this.body = body
  }
}
