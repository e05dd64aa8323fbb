/** A company's part of the product: people who belong together, in front of one backend. */
export interface Organization {
  /** The provider's. Empty where there is one organization alone, which nobody chooses. */
  readonly id: string
  readonly name: string
  /** Address of its backend; null while there is none. */
  readonly backendUrl: string | null
}

/** Someone who signed in with the provider. */
export interface HostedSession {
  /** Names the session without being able to use it. */
  readonly id: string
  /** The provider's name for the person. */
  readonly subject: string
  readonly name: string
  readonly email: string
  readonly organizations: readonly Organization[]
  /** The chosen one, as long as the person belongs to it. */
  readonly organization: Organization | null
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}
